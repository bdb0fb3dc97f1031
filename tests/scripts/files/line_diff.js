// What changed between two versions of a file, line by line, by the longest common subsequence.
const [before, after] = await Promise.all(
  ["versions/old.txt", "versions/new.txt"].map(async (path) => (await tools.files.read_text_file({ path })).content.trimEnd().split("\n")),
);
const lengths = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
for (let i = before.length - 1; i >= 0; i--)
  for (let j = after.length - 1; j >= 0; j--)
    lengths[i][j] = before[i] === after[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);

const lines = [];
let [i, j] = [0, 0];
while (i < before.length || j < after.length) {
  if (before[i] === after[j] && i < before.length) lines.push(`  ${before[i++]}`), j++;
  else if (j >= after.length || (i < before.length && lengths[i + 1][j] >= lengths[i][j + 1])) lines.push(`- ${before[i++]}`);
  else lines.push(`+ ${after[j++]}`);
}
return lines.join("\n");
