// Sums sales by month and region and writes them as a table in Markdown, with sums at both edges.
const { content } = await tools.filesystem.read_text_file({ path: `${args.root}/tables/sales.csv` });
const sums = {};
const regions = new Set();
for (const line of content.trim().split("\n").slice(1)) {
  const [date, region, amount] = line.split(",");
  const month = date.slice(0, 7);
  regions.add(region);
  (sums[month] ??= {})[region] = (sums[month][region] ?? 0) + Number(amount);
}
const columns = [...regions].sort();
const months = Object.keys(sums).sort();
const row = (cells) => `| ${cells.join(" | ")} |`;
const of = (month, region) => sums[month][region] ?? 0;
const total = (values) => values.reduce((a, b) => a + b, 0);
const table = [
  row(["", ...columns, "all"]),
  row(Array(columns.length + 2).fill("---")),
  ...months.map((month) => row([month, ...columns.map((region) => of(month, region)), total(columns.map((region) => of(month, region)))])),
  row(["all", ...columns.map((region) => total(months.map((month) => of(month, region)))), total(Object.values(sums).flatMap(Object.values))]),
];
return table.join("\n");
