// Classes with everything that TypeScript adds to them.
abstract class Source<in out T extends object = {}> implements AsyncIterable<T> {
  static readonly #kinds: ReadonlyArray<string> = ["file", "page"]
  protected declare label: string
  private queue: T[] = []
  public readonly ["made at"]?: number
  size!: number
  [extra: `x-${string}`]: unknown

  constructor(queue: T[]);
  constructor(queue: T[], label?: string) {
    this.queue = queue
    this.size = queue.length!
  }

  abstract read(): Promise<T>;
  protected abstract readonly title: string;

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    while (this.queue.length > 0) yield this.queue.shift()!;
  }

  get kinds(): readonly string[] { return Source.#kinds }
  set kind(value: string) { this.queue.length = value.length }
  static of<U extends object>(this: void, ...values: U[]): U[] { return values satisfies U[] }
  override toString?(): string
}

class Pages extends Source<{ url: string }> {
  override title = "pages";
  override async read(this: Pages): Promise<{ url: string }> {
    const page = (await super.read?.()) as { url: string } | undefined;
    return page ?? { url: "" };
  }
}

const anonymous = new (class<T> { constructor(readonly_: T) { void readonly_ } })<number>(1);
export default abstract class {}
export { Pages, type Source };
