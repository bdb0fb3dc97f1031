// Copies a tree to another place and compares both afterwards.
const entries = async (path) =>
  (await tools.filesystem.list_directory({ path })).content.split("\n").filter(Boolean).map((line) => [line.slice(0, 5) === "[DIR]", line.split("] ")[1]]);

async function copy(from, to) {
  await tools.filesystem.create_directory({ path: to });
  let files = 0;
  for (const [isFolder, name] of await entries(from)) {
    if (isFolder) files += await copy(`${from}/${name}`, `${to}/${name}`);
    else {
      const { content } = await tools.filesystem.read_text_file({ path: `${from}/${name}` });
      await tools.filesystem.write_file({ path: `${to}/${name}`, content });
      files += 1;
    }
  }
  return files;
}

const [from, to] = [`${args.root}/project`, `${args.root}/out/backup`];
const files = await copy(from, to);
const [one, other] = await Promise.all([from, to].map((path) => tools.filesystem.directory_tree({ path })));
return { files, same: one.content === other.content };
