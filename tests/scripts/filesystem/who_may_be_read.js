// Tries several places at once, and tells for each whether it may be read, and why not.
const places = [`${args.root}/letters/a.txt`, "/etc/passwd", `${args.root}/letters/none.txt`, `${args.root}/../secret.txt`];
const results = await Promise.allSettled(places.map((path) => tools.filesystem.read_text_file({ path })));
return results.map((result) => {
  if (result.status === "fulfilled") return "readable";
  const { output } = result.reason;
  if (output.startsWith("ENOENT")) return "missing";
  return output.includes("outside allowed directories") ? "forbidden" : output;
});
