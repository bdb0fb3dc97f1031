/** The input of the script: the JSON that it was started with. */
declare const args: any;

/** Calls a tool by its name. It throws a `ToolError` where no answer comes; what the tool says of its own work is in `outcome`. */
declare function callTool(connection: string, tool: string, args?: object): Promise<ToolCallResult>;

/** The answer of a tool that ran. */
interface ToolCallResult<Output = any> {
  /** `error`: the tool ran and reports its own failure. */
  outcome: "ok" | "error";
  /** Structured content where the server sent some; else its text: parsed where it is a JSON object or array. */
  output: Output;
  /** Every block that `output` doesn't hold. */
  content: ToolContent[];
  /** What the server added to the result. */
  meta: unknown;
}

/** One block of an answer, as MCP writes it, with bytes in place of base64. Servers may send kinds that are not named here. */
type ToolContent =
  | { type: "text"; text: string }
  | { type: "image" | "audio"; data: Uint8Array; mimeType: string }
  | {
      type: "resource_link";
      uri: string;
      name: string;
      title?: string;
      description?: string;
      mimeType?: string;
      size?: number;
    }
  | { type: "resource"; resource: { uri: string; mimeType?: string; text?: string; blob?: Uint8Array } };

/** What a call throws. */
declare class ToolError extends Error {
  private constructor();
  /**
   * What to do about it: `tool-failed`, `rejected`: report it. `refused`: mend the call. `not-sent`: try again.
   * `outcome-unknown`: it may have happened; stop and ask.
   */
  readonly kind: "tool-failed" | "refused" | "not-sent" | "rejected" | "outcome-unknown";
  readonly connection: string;
  readonly tool: string;
  /** Whether nothing reached the server, so that the call may be made again. */
  readonly retryable: boolean;
  /** Whether the call may have happened. */
  readonly outcomeUnknown: boolean;
  /** For people: what happened. Of all kinds but `tool-failed`. */
  readonly detail?: string;
  /** Why it was `refused`: `unknown-connection`, `invalid-arguments`, `denied` or `limit-reached`. */
  readonly reason?: string;
  /** Why it was `not-sent`, or its outcome is unknown: `timeout`, `connect-failed`, ... */
  readonly cause?: string;
  /** The number of the error with which the server `rejected` it. */
  readonly code?: number;
  /** What the server added to that error. */
  readonly data?: any;
  /** What the tool said of its failure, of `tool-failed`. */
  readonly output?: any;
  /** The blocks that `output` doesn't hold, of `tool-failed`. */
  readonly content?: ToolContent[];
  /** What the server added to that answer, of `tool-failed`. */
  readonly meta?: unknown;
}

/** Writes to the log of the run. */
interface Console {
  log(...values: any[]): void;
  info(...values: any[]): void;
  debug(...values: any[]): void;
  warn(...values: any[]): void;
  error(...values: any[]): void;
  dir(value: any): void;
  table(value: any): void;
  trace(...values: any[]): void;
  assert(holds: any, ...values: any[]): void;
  group(...values: any[]): void;
  groupEnd(): void;
}
declare var console: Console;

/** Timers are on a virtual clock: it jumps to the next one when nothing else is waited for. */
declare function setTimeout(callback: (...args: any[]) => void, ms?: number, ...args: any[]): number;
declare function setInterval(callback: (...args: any[]) => void, ms?: number, ...args: any[]): number;
declare function clearTimeout(timer: number | undefined): void;
declare function clearInterval(timer: number | undefined): void;
declare function queueMicrotask(callback: () => void): void;
declare var performance: { now(): number };

declare function structuredClone<T>(value: T): T;
declare function btoa(text: string): string;
declare function atob(base64: string): string;

/** UTF-8. */
declare class TextEncoder {
  readonly encoding: string;
  encode(text?: string): Uint8Array;
}
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  readonly encoding: string;
  decode(bytes?: ArrayBuffer | ArrayBufferView, options?: { stream?: boolean }): string;
}

declare class URLSearchParams implements Iterable<[string, string]> {
  constructor(from?: string | Iterable<[string, string]> | Record<string, string> | URLSearchParams);
  readonly size: number;
  append(name: string, value: string): void;
  delete(name: string, value?: string): void;
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string, value?: string): boolean;
  set(name: string, value: string): void;
  sort(): void;
  forEach(callback: (value: string, name: string, params: URLSearchParams) => void): void;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  entries(): IterableIterator<[string, string]>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
  toString(): string;
}

declare class URL {
  constructor(url: string | URL, base?: string | URL);
  static canParse(url: string | URL, base?: string | URL): boolean;
  static parse(url: string | URL, base?: string | URL): URL | null;
  href: string;
  readonly origin: string;
  protocol: string;
  username: string;
  password: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  readonly searchParams: URLSearchParams;
  hash: string;
  toString(): string;
  toJSON(): string;
}
