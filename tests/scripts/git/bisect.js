// Finds the commit that broke something by halving the history, and says how many it had to look at.
const repo_path = args.repo;
const commits = (await tools.git.git_log({ repo_path }))
  .split(/\n(?=Commit: )/)
  .flatMap((block) => {
    const sha = block.match(/Commit: (\w{40})/)?.[1];
    return sha ? [{ sha, subject: block.match(/Message: (.*)/)[1] }] : [];
  })
  .reverse();

let looked = 0;
const isBroken = async ({ sha }) => {
  looked++;
  const text = await tools.git.git_show({ repo_path, revision: `${sha}:app.txt` });
  return text.includes("status=broken");
};
let [good, bad] = [-1, commits.length - 1];
while (bad - good > 1) {
  const middle = (good + bad) >> 1;
  if (await isBroken(commits[middle])) bad = middle;
  else good = middle;
}
return { culprit: commits[bad].subject, looked, of: commits.length };
