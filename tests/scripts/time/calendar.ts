// A calendar of one month with the numbers of its weeks (ISO 8601), from nothing but dates.
const [year, month]: [number, number] = args;

function isoWeek(date: Date): number {
  const thursday = new Date(date);
  thursday.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7));
  const start = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  return Math.ceil(((thursday.getTime() - start) / 86_400_000 + 1) / 7);
}

const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
const weeks = new Map<number, string[]>();
for (let day = 1; day <= days; day++) {
  const date = new Date(Date.UTC(year, month - 1, day));
  const week = weeks.get(isoWeek(date)) ?? Array<string>(7).fill("  ");
  week[(date.getUTCDay() + 6) % 7] = String(day).padStart(2);
  weeks.set(isoWeek(date), week);
}
return [...weeks].map(([number, cells]) => `${String(number).padStart(2)} | ${cells.join(" ")}`.trimEnd());
