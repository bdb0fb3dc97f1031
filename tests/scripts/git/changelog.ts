// Makes a changelog out of commits that keep to the form "kind(scope): subject", breaking ones first.
interface Commit {
  sha: string;
  author: string;
  date: string;
  message: string;
}

function parseLog(text: string): Commit[] {
  const blocks = text.replace(/^Commit history:\n/, "").split(/^(?=Commit: [0-9a-f]{40}$)/m);
  return blocks.map((block) => {
    const [, sha, author, date, message] = /^Commit: (\w+)\nAuthor: (.*)\nDate: (.*)\nMessage: ([\s\S]*)$/.exec(block)!;
    return { sha, author, date, message: message.trim() };
  });
}

const log = (await tools.git.git_log({ repo_path: args.repo, max_count: 50 })) as string;
const titles = { breaking: "Breaking", feat: "Added", fix: "Fixed" } as const;
const sections: Record<keyof typeof titles, string[]> = { breaking: [], feat: [], fix: [] };
for (const { message } of parseLog(log)) {
  const match = /^(?<kind>\w+)(?:\((?<scope>[^)]+)\))?(?<bang>!)?: (?<subject>.+)/.exec(message);
  if (!match?.groups) continue;
  const { kind, scope, bang, subject } = match.groups;
  const section = bang || /^BREAKING CHANGE:/m.test(message) ? "breaking" : kind;
  if (section in sections) sections[section as keyof typeof titles].push(`- ${scope ? `**${scope}:** ` : ""}${subject}`);
}
return (Object.keys(titles) as (keyof typeof titles)[])
  .filter((key) => sections[key].length > 0)
  .map((key) => `### ${titles[key]}\n\n${sections[key].join("\n")}`)
  .join("\n\n");
