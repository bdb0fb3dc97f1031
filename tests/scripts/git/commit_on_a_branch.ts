// Makes a branch, writes a file with another server, commits it there, and goes back; also when something fails on the way.
const repo_path: string = args.repo;
const call = async (tool: keyof Tools.git.$Tools, more: object = {}): Promise<string> => {
  const { outcome, output } = await callTool("git", tool, { repo_path, ...more });
  if (outcome === "error") throw new Error(`${tool}: ${output}`);
  return output;
};

const before = (await call("git_branch", { branch_type: "local" })).match(/^\* (.+)$/m)![1];
await call("git_create_branch", { branch_name: "release-notes" });
await call("git_checkout", { branch_name: "release-notes" });
try {
  await tools.files.write_file({ path: "repository/RELEASE.md", content: "# Notes\n" });
  await call("git_add", { files: ["RELEASE.md"] });
  const staged = await call("git_diff_staged");
  if (!staged.includes("+# Notes")) throw new Error("nothing is staged");
  await call("git_commit", { message: "docs: release notes" });
} finally {
  await call("git_checkout", { branch_name: before });
}
const there = await call("git_show", { revision: "release-notes:RELEASE.md" });
const here = await call("git_log", { max_count: 1 });
return { before, there, here: here.includes("release notes") };
