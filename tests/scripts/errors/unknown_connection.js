// Asks for a server that isn't configured, and finds out from the error which ones are.
try {
  await tools.weather.forecast({ city: "Oslo" });
} catch (error) {
  const { kind, reason, detail, tool } = error;
  return { kind, reason, tool, there: detail.split("there are: ")[1]?.split(", ") };
}
