// Sorts what is changed in the working tree: modified, untracked, and on which branch.
const text = await tools.git.git_status({ repo_path: args.repo });
const summary = { branch: /^On branch (.+)$/m.exec(text)?.[1], modified: [], untracked: [] };
let isUntracked = false;
for (const line of text.split("\n")) {
  if (line.startsWith("Untracked files:")) isUntracked = true;
  if (!line.startsWith("\t")) continue;
  const entry = line.trim();
  if (isUntracked) summary.untracked.push(entry);
  else if (entry.startsWith("modified:")) summary.modified.push(entry.replace(/^modified:\s+/, ""));
}
const diff = await tools.git.git_diff_unstaged({ repo_path: args.repo, context_lines: 0 });
return { ...summary, lines: diff.split("\n").filter((line) => /^[+-](?![+-])/.test(line)) };
