// Gives numbered files names of the same length, so that they sort as they count.
const pattern = /^scan_(?<number>\d+)\.txt$/;
const { content } = await tools.files.list_directory({ path: "scans" });
const plan = content
  .split("\n")
  .map((line) => line.replace("[FILE] ", ""))
  .flatMap((name): [string, string][] => {
    const number = pattern.exec(name)?.groups?.number;
    return number === undefined ? [] : [[name, `scan_${number.padStart(4, "0")}.txt`]];
  })
  .filter(([from, to]) => from !== to);

for (const [from, to] of plan) {
  await tools.files.move_file({ source: `scans/${from}`, destination: `scans/${to}` });
  console.log(`${from} -> ${to}`);
}
return (await tools.files.list_directory({ path: "scans" })).content.split("\n");
