// The size of one file at each commit, oldest first; where it wasn't there yet, that is an error of the tool.
const repo_path: string = args.repo;
const log = (await tools.git.git_log({ repo_path })) as string;
const shas = Array.from(log.matchAll(/^Commit: (\w{40})$/gm), (match) => match[1]).reverse();

async function sizeAt(sha: string): Promise<number | null> {
  try {
    const text = await tools.git.git_show({ repo_path, revision: `${sha}:notes.txt` });
    return new TextEncoder().encode(text as string).byteLength;
  } catch (error: unknown) {
    if (error instanceof ToolError && error.kind === "tool-failed") return null;
    throw error;
  }
}

const sizes = await Promise.all(shas.map(sizeAt));
const growth = sizes.map((size, i) => (size ?? 0) - (sizes[i - 1] ?? 0));
return { sizes, growth };
