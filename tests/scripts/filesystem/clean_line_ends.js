// Gives texts plain line ends, no byte order mark, no blanks at the ends of lines, and one newline at the end.
const folder = `${args.root}/untidy`;
const { content: listing } = await tools.filesystem.list_directory({ path: folder });
const report = {};
for (const name of listing.split("\n").map((line) => line.slice("[FILE] ".length))) {
  const path = `${folder}/${name}`;
  const { content } = await tools.filesystem.read_text_file({ path });
  const fixes = [];
  const fix = (what, pattern, replacement, text) => {
    const fixed = text.replace(pattern, replacement);
    if (fixed !== text) fixes.push(what);
    return fixed;
  };
  let text = fix("mark", /^\uFEFF/, "", content);
  text = fix("line ends", /\r\n?/g, "\n", text);
  text = fix("blanks", /[ \t]+$/gm, "", text);
  text = fix("end", /\n*$/, "\n", text);
  if (fixes.length > 0) await tools.filesystem.write_file({ path, content: text });
  report[name] = fixes;
}
return report;
