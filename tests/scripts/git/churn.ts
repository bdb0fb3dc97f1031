// Counts how many lines were added and taken away in each file over all commits, from their patches.
const repo_path: string = args.repo;
const log = String(await tools.git.git_log({ repo_path }));
const shas = [...log.matchAll(/^Commit: (\w{40})$/gm)].map(([, sha]) => sha);
const churn: Map<string, { added: number; removed: number }> = new Map();

function count(patch: string): void {
  let file = "";
  // What the hunk still has: its head says how many lines, so that a line "--- x" in it is no head of a file.
  let [before, after] = [0, 0];
  for (const line of patch.split("\n")) {
    if (before + after === 0) {
      file = /^\+\+\+ b\/(.+)$/.exec(line)?.[1] ?? file;
      const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
      if (hunk) [before, after] = [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
      continue;
    }
    const entry = churn.get(file) ?? { added: 0, removed: 0 };
    churn.set(file, entry);
    if (line.startsWith("+")) (entry.added++, after--);
    else if (line.startsWith("-")) (entry.removed++, before--);
    else if (!line.startsWith("\\")) (before--, after--);
  }
}

const patches = await Promise.all(shas.map((revision) => tools.git.git_show({ repo_path, revision })));
(patches as string[]).forEach(count);
return { commits: shas.length, churn: Object.fromEntries([...churn].sort(([a], [b]) => a.localeCompare(b))) };
