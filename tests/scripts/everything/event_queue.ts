// An event queue with listeners, private fields, symbols and getters, fed by answers of a tool.
type Listener<T> = (value: T) => void;
const count: unique symbol = Symbol("count");

class Queue<Events extends Record<string, unknown>> {
  #listeners: { [K in keyof Events]?: Set<Listener<Events[K]>> } = {};
  [count] = 0;

  on<K extends keyof Events>(name: K, listener: Listener<Events[K]>): () => void {
    const all = (this.#listeners[name] ??= new Set());
    all.add(listener);
    return () => void all.delete(listener);
  }

  emit<K extends keyof Events>(name: K, value: Events[K]): this {
    this[count]++;
    this.#listeners[name]?.forEach((listener) => listener(value));
    return this;
  }

  get emitted(): number {
    return this[count];
  }
}

const queue = new Queue<{ text: string; done: undefined }>();
const seen: string[] = [];
const off = queue.on("text", (text) => seen.push(text.toUpperCase()));
queue.on("done", () => seen.push("END"));
for (const message of ["one", "two", "three"]) {
  queue.emit("text", (await tools.everything.echo({ message })) as string);
  if (message === "two") off();
}
return { seen, emitted: queue.emit("done", undefined).emitted };
