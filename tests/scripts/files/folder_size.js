// Makes a manifest of a folder out of the lines in which the server tells about files.
const parse = (text) =>
  Object.fromEntries(
    text.split("\n").map((line) => {
      const colon = line.indexOf(": ");
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );

const { content } = await tools.files.list_directory({ path: "texts" });
const names = content.split("\n").map((line) => line.split("] ")[1]);
const infos = await Promise.all(names.map((name) => tools.files.get_file_info({ path: `texts/${name}` })));
const manifest = infos.map((info, i) => {
  const { size, isFile, modified } = parse(info.content);
  return { name: names[i], bytes: Number(size), isFile: isFile === "true", hasDate: !Number.isNaN(Date.parse(modified)) };
});
return { manifest, total: manifest.reduce((sum, { bytes }) => sum + bytes, 0) };
