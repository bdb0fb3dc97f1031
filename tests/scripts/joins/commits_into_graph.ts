// Takes the history of a repository into the graph: authors, commits, and who made which; then asks the graph who made most.
const log = (await tools.git.git_log({ repo_path: args.repo })) as string;
const commits = [...log.matchAll(/^Commit: (\w{40})\nAuthor: (.+)\n/gm)].map(([, sha, author]) => ({ id: `commit ${sha.slice(0, 8)}`, author }));
const authors = [...new Set(commits.map(({ author }) => author))];
await tools.memory.create_entities({
  entities: [
    ...authors.map((name) => ({ name, entityType: "author", observations: [] })),
    ...commits.map(({ id }) => ({ name: id, entityType: "commit", observations: [] })),
  ],
});
await tools.memory.create_relations({ relations: commits.map(({ id, author }) => ({ from: author, to: id, relationType: "made" })) });

const { relations } = await tools.memory.open_nodes({ names: authors });
const counts = new Map<string, number>();
for (const { from } of relations) counts.set(from, (counts.get(from) ?? 0) + 1);
return { commits: commits.length, most: [...counts].reduce((a, b) => (b[1] > a[1] ? b : a)) };
