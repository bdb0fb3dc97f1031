// Writes a report of the weather for each office of a list that is a file, and leaves out offices without weather.
const offices = JSON.parse((await tools.files.read_text_file({ path: "offices.json" })).content);
const reports = await Promise.allSettled(
  offices.map(async ({ city, people }) => ({ city, people, ...(await tools.everything["get-structured-content"]({ location: city })) })),
);
const known = reports.flatMap((it) => (it.status === "fulfilled" ? [it.value] : []));
const missing = offices.filter((_, i) => reports[i].status === "rejected").map(({ city }) => city);
const text = `# Weather

${known.map(({ city, temperature, conditions }) => `* **${city}**: ${conditions.toLowerCase()}, ${temperature} °F`).join("\n")}
${missing.length ? `\nNo weather for ${missing.join(" and ")}.\n` : ""}`;
await tools.files.write_file({ path: "out/weather.md", content: text });
return { missing, peopleInRain: known.filter(({ conditions }) => /rain/i.test(conditions)).reduce((sum, { people }) => sum + people, 0) };
