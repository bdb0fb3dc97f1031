// Reads a CSV with quoted fields and writes it as JSON, with numbers where they are numbers.
interface Order {
  order: number;
  customer: string;
  item: string;
  quantity: number;
  price: number;
}

function parseLine(line: string): string[] {
  const fields: string[] = [];
  let field = "";
  let quoted = false;
  for (let i = 0; i < line.length; i++) {
    const c = line[i];
    if (quoted && c === '"' && line[i + 1] === '"') {
      field += '"';
      i++;
    } else if (c === '"') quoted = !quoted;
    else if (c === "," && !quoted) {
      fields.push(field);
      field = "";
    } else field += c;
  }
  return [...fields, field];
}

const { content } = await tools.files.read_text_file({ path: args.from });
const [header, ...rows] = content.trim().split("\n").map(parseLine);
const orders = rows.map((row) => {
  const record = Object.fromEntries(header.map((name, i) => [name, row[i]]));
  return { ...record, order: Number(record.order), quantity: Number(record.quantity), price: Number(record.price) } as Order;
});
await tools.files.write_file({ path: args.to, content: JSON.stringify(orders, null, 2) + "\n" });
return { orders: orders.length, items: [...new Set(orders.map(({ item }) => item))].sort() };
