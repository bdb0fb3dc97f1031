// Thinks through the subjects of commits in order, and keeps the thoughts that were revised in a file.
const log = String(await tools.git.git_log({ repo_path: args.repo, max_count: 4 }));
const subjects = [...log.matchAll(/^Message: (.*)$/gm)].map(([, subject]) => subject).reverse();
const kept: string[] = [];
for (const [i, thought] of subjects.entries()) {
  const isRevision = thought.startsWith("fix");
  const { thoughtHistoryLength, totalThoughts } = await tools.thinking.sequentialthinking({
    thought,
    thoughtNumber: i + 1,
    totalThoughts: subjects.length,
    nextThoughtNeeded: i < subjects.length - 1,
    ...(isRevision ? { isRevision, revisesThought: i } : {}),
  });
  if (thoughtHistoryLength < i + 1 || totalThoughts !== subjects.length) throw new RangeError("a thought was lost");
  if (isRevision) kept.push(`${i + 1}. ${thought} (revises ${i})`);
}
await tools.files.write_file({ path: "out/decisions.txt", content: kept.join("\n") });
return kept;
