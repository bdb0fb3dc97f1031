// Builds a glossary from a text: each term a node, each mention of another term a relation; then asks who is mentioned most.
const glossary = new Map(
  args.text
    .trim()
    .split(/\n+/)
    .map((line) => line.split(/\s*=\s*/))
    .map(([term, meaning]) => [term, meaning]),
);
const entities = Array.from(glossary, ([name, meaning]) => ({ name, entityType: "term", observations: [meaning] }));
const relations = [];
for (const [from, meaning] of glossary) {
  for (const to of glossary.keys()) {
    if (from !== to && new RegExp(`(?<![\\w-])${RegExp.escape?.(to) ?? to}s?(?![\\w-])`, "i").test(meaning)) relations.push({ from, to, relationType: "mentions" });
  }
}
await tools.memory.create_entities({ entities });
await tools.memory.create_relations({ relations });
const stored = (await tools.memory.open_nodes({ names: [...glossary.keys()] })).relations;
const mentions = stored.reduce((counts, { to }) => ({ ...counts, [to]: (counts[to] ?? 0) + 1 }), {});
return { terms: glossary.size, mentions, most: Object.keys(mentions).reduce((a, b) => (mentions[b] > mentions[a] ? b : a)) };
