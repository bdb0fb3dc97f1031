// Asks six servers at the same time and puts what they say into one object.
const { everything, files, git, memory, thinking, time } = tools;
const questions = {
  sum: everything["get-sum"]({ a: 20, b: 22 }).then((text) => Number(text.match(/(\d+)\.$/)[1])),
  files: files.list_directory({ path: "app" }).then(({ content }) => content.split("\n").length),
  branch: git.git_branch({ repo_path: args.repo, branch_type: "local" }).then((text) => text.replace("* ", "").trim()),
  graph: memory.search_nodes({ query: "no such thing at all" }).then(({ entities }) => entities.length),
  thought: thinking
    .sequentialthinking({ thought: "all at once", thoughtNumber: 1, totalThoughts: 1, nextThoughtNeeded: false })
    .then((it) => it.nextThoughtNeeded),
  zone: time.get_current_time({ timezone: "Asia/Tokyo" }).then(({ datetime }) => datetime.slice(-6)),
};
const keys = Object.keys(questions);
const values = await Promise.all(Object.values(questions));
return Object.fromEntries(keys.map((key, i) => [key, values[i]]));
