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

/** One block of an answer. Bytes are lists of numbers. */
type ToolContent =
  | { type: "text"; value: string }
  | { type: "image" | "audio"; value: { mime_type: string; data: number[] } }
  | {
      type: "resource-link";
      value: {
        uri: string;
        name: string;
        title: string | null;
        description: string | null;
        mime_type: string | null;
        size: number | null;
      };
    }
  | {
      type: "resource";
      value: { uri: string; mime_type: string | null; body: { text: string } | { blob: number[] } };
    }
  | { type: "other"; value: unknown };

/** What a call throws. */
declare class ToolError extends Error {
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
  /** What the tool said of its failure. */
  readonly output?: any;
}

/** Writes to the log of the run. */
interface Console {
  log(...values: any[]): void;
  info(...values: any[]): void;
  debug(...values: any[]): void;
  warn(...values: any[]): void;
  error(...values: any[]): void;
}
declare var console: Console;

declare function setTimeout(callback: (...args: any[]) => void, ms?: number, ...args: any[]): number;
declare function clearTimeout(timer: number | undefined): void;
