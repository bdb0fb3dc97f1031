// Reads files with at most four calls under way, and keeps the order of the results.
async function mapLimit<T, R>(items: readonly T[], limit: number, work: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index]!, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}

let active = 0;
let most = 0;
const paths = Array.from({ length: 20 }, (_, i) => `parts/part-${String(i).padStart(2, "0")}.txt`);
const values = await mapLimit(paths, 4, async (path) => {
  most = Math.max(most, ++active);
  try {
    const { content } = await tools.files.read_text_file({ path });
    return Number(content.trim().split("=")[1]);
  } finally {
    active--;
  }
});
return { most, active, values };
