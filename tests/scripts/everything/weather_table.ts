// The weather of three cities as a table, the warmest first, and the mean in Celsius.
type City = Tools.everything.get_structured_content.Input["location"];
type Weather = Tools.everything.get_structured_content.Output;

const cities: City[] = ["New York", "Chicago", "Los Angeles"];
const rows = await Promise.all(
  cities.map(async (location): Promise<[City, Weather]> => [location, await tools.everything["get-structured-content"]({ location })]),
);
const width = Math.max(...cities.map((city) => city.length));
const table = rows
  .toSorted(([, a], [, b]) => b.temperature - a.temperature)
  .map(([city, { temperature, conditions }]) => `${city.padEnd(width)} ${String(temperature).padStart(3)} ${conditions}`);
const celsius = (fahrenheit: number): number => ((fahrenheit - 32) * 5) / 9;
const mean = rows.reduce((sum, [, { temperature }]) => sum + celsius(temperature), 0) / rows.length;
return { table, mean: Number(mean.toFixed(2)), damp: rows.filter(([, { humidity }]) => humidity > 80).length };
