// Takes apart what the server tells of several files at once; some of them aren't there.
const names = ["a.txt", "missing.txt", "b.txt"];
const { content } = await tools.filesystem.read_multiple_files({ paths: names.map((name) => `${args.root}/letters/${name}`) });
const sections = content.split("\n---\n").map((section) => {
  const [, path, rest] = /^(.+?):\s([\s\S]*)$/.exec(section);
  return { name: path.split("/").pop(), error: rest.startsWith("Error - "), text: rest.trim() };
});
const { true: failed = [], false: read = [] } = Object.groupBy(sections, ({ error }) => String(error));
return { read: read.map(({ name, text }) => [name, text]), failed: failed.map(({ name }) => name) };
