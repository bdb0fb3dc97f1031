// A script that asks two servers and makes a report of what they say.
import type { Unused } from "elsewhere";

interface Commit {
  readonly hash: string;
  author?: { name: string; email?: string };
}

type Outcome<T> = { ok: true; value: T } | { ok: false; why: string };

declare const args: { repositories: string[]; limit?: number };
declare function callTool(connection: string, tool: string, input: unknown): Promise<any>;

const limit: number = args.limit ?? 10
const seen = new Map<string, Set<Commit["hash"]>>();

async function attempt<T>(work: () => Promise<T>, fallback?: T): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error: unknown) {
    if (fallback !== undefined) return { ok: true, value: fallback as T };
    return { ok: false, why: (error as Error).message ?? String(error) };
  }
}

function isCommit(value: unknown): value is Commit {
  return typeof value === "object" && value !== null && "hash" in value!;
}

const logs = await Promise.all(
  args.repositories.map(async (path: string): Promise<
    readonly Commit[]
  > => {
    const outcome = await attempt<Commit[]>(() => callTool("git", "log", { path, limit }), []);
    return outcome.ok ? outcome.value.filter(isCommit) : [];
  }),
)

const names = logs.flat().map((commit) => commit.author!.name as string)
;[...new Set(names)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)).forEach((name: string, at?: number) => {
  const mine = logs.flat().filter((commit): commit is Commit => commit.author?.name === name);
  seen.set(name, new Set<string>(mine.map(({ hash }: Commit) => hash)));
  console.log(`${name}: ${mine.length as number} \u{2014} ${"\u{1f600}" satisfies string}`, at);
});

return { authors: seen.size, hashes: Object.fromEntries([...seen].map(([name, set]) => [name, [...set]] as const)) };
