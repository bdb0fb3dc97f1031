// The hours (of UTC) in which everybody is at work, from nine to five where they are.
const shifts = await Promise.all(
  args.zones.map(async (zone) => {
    const { target } = await tools.time.convert_time({ source_timezone: zone, time: "09:00", target_timezone: "UTC" });
    const [hours, minutes] = target.datetime.slice(11, 16).split(":").map(Number);
    return hours + minutes / 60;
  }),
);
const isAtWork = (start, hour) => (hour - start + 24) % 24 <= 7;
const common = [...Array(24).keys()].filter((hour) => shifts.every((start) => isAtWork(start, hour)));
return common.length > 0 ? common.map((hour) => `${hour}:00`) : "never";
