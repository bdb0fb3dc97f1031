// How many commits each person made, and on which days of the week.
const log = await tools.git.git_log({ repo_path: args.repo });
const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const people = {};
const week = new Map(days.map((day) => [day, 0]));
for (const [, author, date] of log.matchAll(/^Author: (.+)\nDate: (.+)$/gm)) {
  people[author] = (people[author] ?? 0) + 1;
  const day = days[new Date(date.replace(" ", "T")).getUTCDay()];
  week.set(day, week.get(day) + 1);
}
return { people, week: Object.fromEntries([...week].filter(([, count]) => count)) };
