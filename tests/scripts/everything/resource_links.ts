// Sorts the links that the server gives by what kind of thing they lead to.
const { output, content } = await callTool("everything", "get-resource-links", { count: 5 });
const links = content.filter((block) => block.type === "resource_link");
const byKind: Partial<Record<"text" | "blob", number[]>> = {};
for (const { uri } of links) {
  const [, kind, number] = /\/(text|blob)\/(\d+)$/.exec(uri) ?? [];
  (byKind[kind as "text" | "blob"] ??= []).push(Number(number));
}
return { says: /\d+/.exec(output)?.[0], count: links.length, named: links.every(({ name }) => name.length > 0), byKind };
