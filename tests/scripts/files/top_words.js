// The words that a text has most often, in any script, without regard to case.
const { content } = await tools.files.read_text_file({ path: "texts/rhyme.txt" });
const words = content.toLowerCase().match(/\p{L}+(?:['’]\p{L}+)*/gu) ?? [];
const counts = words.reduce((map, word) => map.set(word, (map.get(word) ?? 0) + 1), new Map());
const top = [...counts.entries()].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, args.top);
return { words: words.length, different: counts.size, top };
