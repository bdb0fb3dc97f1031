// Sums what each customer spent, in cents, so that no fraction is lost, and sorts by it.
const { content } = await tools.files.read_text_file({ path: "shop/orders.csv" });
const totals = {};
for (const line of content.trim().split("\n").slice(1)) {
  // The item is the only field that may be quoted.
  const [, customer, quantity, price] = line.match(/^\d+,(\w+),(?:"(?:[^"]|"")*"|[^,]*),(\d+),([\d.]+)$/);
  totals[customer] = (totals[customer] ?? 0) + Number(quantity) * Math.round(Number(price) * 100);
}
const ranking = Object.entries(totals).sort(([, a], [, b]) => b - a);
console.table(ranking);
return ranking.map(([customer, cents]) => `${customer}: ${(cents / 100).toFixed(2)}`);
