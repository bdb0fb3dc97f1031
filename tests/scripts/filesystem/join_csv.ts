// Joins two CSVs on a key, as a left join: who has no match keeps an empty field.
type Row = Record<string, string>;

async function readCsv(name: string): Promise<Row[]> {
  const { content } = await tools.filesystem.read_text_file({ path: `${args.root}/tables/${name}.csv` });
  const [names, ...lines] = content.trim().split("\n").map((line) => line.split(";"));
  return lines.map((fields) => Object.fromEntries(names.map((name, i) => [name, fields[i]])));
}

function leftJoin(left: Row[], right: Row[], key: keyof Row & string): Row[] {
  const byKey = new Map(right.map((row) => [row[key], row] as const));
  const added = Object.keys(right[0] ?? {}).filter((name) => name !== key);
  return left.map((row) => ({ ...row, ...Object.fromEntries(added.map((name) => [name, byKey.get(row[key])?.[name] ?? ""])) }));
}

const [people, cities] = await Promise.all([readCsv("people"), readCsv("cities")]);
const joined = leftJoin(people, cities, "city");
const csv = [Object.keys(joined[0]), ...joined.map((row) => Object.values(row))].map((fields) => fields.join(";")).join("\n");
await tools.filesystem.write_file({ path: `${args.root}/out/joined.csv`, content: `${csv}\n` });
return joined.filter((row) => row.country === "").map((row) => row.name);
