// Orders tasks by what they need. Tasks that need each other are an error of its own kind, which nobody catches here.
class CycleError extends Error {
  readonly path: readonly string[];

  constructor(path: readonly string[]) {
    super(`these tasks wait for each other: ${path.join(" -> ")}`);
    this.name = "CycleError";
    this.path = path;
  }
}

const needs: Record<string, string[]> = args.needs;
await tools.memory.create_entities({ entities: Object.keys(needs).map((name) => ({ name, entityType: "task", observations: [] })) });
await tools.memory.create_relations({
  relations: Object.entries(needs).flatMap(([from, all]) => all.map((to) => ({ from, to, relationType: "needs" }))),
});

const { relations } = await tools.memory.read_graph();
const done = new Set<string>();
function visit(name: string, path: string[]): void {
  if (path.includes(name)) throw new CycleError([...path.slice(path.indexOf(name)), name]);
  if (done.has(name)) return;
  for (const { from, to, relationType } of relations) if (from === name && relationType === "needs") visit(to, [...path, name]);
  done.add(name);
}
for (const name of Object.keys(needs)) visit(name, []);
return [...done];
