// A table of what the clocks show elsewhere when it is noon in UTC, from east to west, the days that differ marked.
type Conversion = Tools.time.convert_time.Output;
const zones = ["Asia/Tokyo", "Asia/Kolkata", "UTC", "America/Phoenix", "Pacific/Kiritimati"];

const minutes = (offset: string): number => {
  const [, sign, hours, rest] = /([+-])(\d\d):(\d\d)$/.exec(offset)!;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(rest));
};

const rows: Conversion[] = await Promise.all(
  zones.map((target_timezone) => tools.time.convert_time({ source_timezone: "UTC", time: "12:00", target_timezone })),
);
rows.sort((a, b) => minutes(b.target.datetime) - minutes(a.target.datetime));
const lines = rows.map(({ source, target }) => {
  const day = target.day_of_week === source.day_of_week ? "" : " (another day)";
  return `| ${target.timezone} | ${target.datetime.slice(11, 16)}${day} |`;
});
return ["| zone | noon in UTC |", "| --- | --- |", ...lines].join("\n");
