// Waits for a file that isn't there yet, longer each time, and makes it after three tries.
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function withBackoff<T>(work: () => Promise<T>, tries: number, onFailure: (n: number) => Promise<void>): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ToolError) || error.kind !== "tool-failed" || n >= tries) throw error;
      await onFailure(n);
      await sleep(100 * 2 ** n);
    }
  }
}

const path = `${args.root}/out/late.txt`;
const started = Date.now();
let failures = 0;
const text = await withBackoff(
  async () => (await tools.filesystem.read_text_file({ path })).content,
  5,
  async (n) => {
    failures = n;
    if (n === 3) await tools.filesystem.write_file({ path, content: "here at last" });
  },
);
return { text, failures, waited: Date.now() - started };
