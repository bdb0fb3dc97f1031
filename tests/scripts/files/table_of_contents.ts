// Puts a table of contents below the first heading of a document, with links as GitHub makes them.
const path = "texts/guide.md";
const { content } = await tools.files.read_text_file({ path });
const slugs = new Map<string, number>();

function slugOf(title: string): string {
  const slug = title.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");
  const times = slugs.get(slug) ?? 0;
  slugs.set(slug, times + 1);
  return times === 0 ? slug : `${slug}-${times}`;
}

let isCode = false;
const entries: string[] = [];
for (const line of content.split("\n")) {
  if (line.startsWith("```")) isCode = !isCode;
  const heading = isCode ? null : /^(#{2,3}) (.+)$/.exec(line);
  if (heading) entries.push(`${"  ".repeat(heading[1]!.length - 2)}- [${heading[2]}](#${slugOf(heading[2]!)})`);
}
return entries;
