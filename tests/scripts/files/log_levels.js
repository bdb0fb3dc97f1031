// Goes through a long log: how often each level, which paths failed, and how slow the slowest tenth is.
const { content } = await tools.files.read_text_file({ path: "logs/access.log" });
const line = /^(\S+) (INFO|WARN|ERROR) (GET|POST) (\S+) (\d{3}) (\d+)ms$/;

const levels = { INFO: 0, WARN: 0, ERROR: 0 };
const failed = new Set();
const times = [];
let unreadable = 0;
for (const text of content.split("\n")) {
  if (text === "") continue;
  const match = line.exec(text);
  if (match === null) {
    unreadable++;
    continue;
  }
  const [, , level, , path, status, ms] = match;
  levels[level]++;
  if (status.startsWith("5")) failed.add(path);
  times.push(+ms);
}
times.sort((a, b) => a - b);
return { levels, unreadable, failed: [...failed].sort(), p90: times[Math.floor(times.length * 0.9)], slowest: times.at(-1) };
