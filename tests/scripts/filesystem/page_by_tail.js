// Goes back through a journal from its end, in pages, until it finds what it looks for, without reading all of it.
const path = `${args.root}/logs/journal.txt`;
const page = 50;
let seen = 0;
for (let tail = page; ; tail += page) {
  const { content } = await tools.filesystem.read_text_file({ path, tail });
  const lines = content.split("\n");
  const fresh = lines.slice(0, lines.length - seen);
  seen = lines.length;
  const at = fresh.findLastIndex((line) => line.includes(args.word));
  if (at >= 0) return { pages: tail / page, line: fresh[at] };
  if (fresh.length < page) return { pages: tail / page, line: null };
}
