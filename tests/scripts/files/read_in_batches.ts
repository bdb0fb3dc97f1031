// Reads many small files a few at a time, as a list with pages is read, until a batch comes up empty.
const size: number = args.batch;

function* pages<T>(items: T[], size: number): Generator<T[], void> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

const { content } = await tools.files.list_directory({ path: "parts" });
const names = content.split("\n").map((line) => line.slice("[FILE] ".length));
const values: number[] = [];
let batches = 0;
for (const page of pages(names, size)) {
  batches += 1;
  const answer = await tools.files.read_multiple_files({ paths: page.map((name) => `parts/${name}`) });
  for (const section of answer.content.split("\n---\n")) {
    const value = /value=(-?\d+)/.exec(section)?.[1];
    if (value !== undefined) values.push(parseInt(value, 10));
  }
}
return { batches, values: values.length, sum: values.reduce((a, b) => a + b, 0), max: Math.max(...values) };
