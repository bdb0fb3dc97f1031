// Reads events with local times, has the time server turn them into UTC, and writes them in the order in which they happen.
interface Event {
  title: string;
  zone: string;
  time: string;
}

const { content } = await tools.files.read_text_file({ path: "events.csv" });
const events = content
  .trim()
  .split("\n")
  .slice(1)
  .map((line): Event => {
    const [title, zone, time] = line.split(",").map((field) => field.trim());
    return { title, zone, time };
  });
const converted = await Promise.all(
  events.map(async ({ title, zone, time }) => {
    const { target } = await tools.time.convert_time({ source_timezone: zone, time, target_timezone: "UTC" });
    return { title, at: target.datetime.slice(11, 16) };
  }),
);
converted.sort((a, b) => a.at.localeCompare(b.at));
await tools.files.write_file({ path: "out/events.json", content: JSON.stringify(converted) });
return converted.map(({ title, at }) => `${at} ${title}`);
