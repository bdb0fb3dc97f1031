// What scripts of `callgate run` may call, as the servers list it. Made by `callgate types`; make it anew rather than edit it.
/// <reference no-default-lib="true" />
/// <reference lib="es2023" />

/** The servers, by their names in the configuration. */
declare const tools: {
  readonly default: Tools.$default.$Tools;
  readonly "hos*/tile": Tools.hos__tile.$Tools;
};

declare namespace Tools.$default {
  interface $Tools {
  }
}

declare namespace Tools.hos__tile {
  interface $Tools {
    "2fast"(args?: _2fast.Input): Promise<_2fast.Output>;
    any(args?: $any.Input): Promise<$any.Output>;
    circles(args?: circles.Input): Promise<circles.Output>;
    "constructor"(args?: constructor.Input): Promise<constructor.Output>;
    /** A part of its schemas is left out here (limit max_type_nesting). */
    deep(args?: deep.Input): Promise<deep.Output>;
    /**
     * *\/ declare const evil: 1; /\*
     * \@deprecated not so
     * \@param x
     *   turned     hidden   bell
     *  line
     *
     *  * star
     * ```js
     * *\/
     * ```
     */
    "ends */ comments"(args?: ends____comments.Input): Promise<ends____comments.Output>;
    names(args?: names.Input): Promise<names.Output>;
    odd(args?: odd.Input): Promise<odd.Output>;
    self(args: self.Input): Promise<self.Output>;
    /** A part of its schemas is left out here (limit max_literals). */
    wide(args?: wide.Input): Promise<wide.Output>;
    "東京"(args?: __.Input): Promise<__.Output>;
  }

  namespace _2fast {
    type Input = { [name: string]: unknown };
    type Output = unknown;
  }

  namespace $any {
    type Input = { [name: string]: unknown };
    type Output = unknown;
  }

  namespace circles {
    type Input = {
      a?: A;
      c?: C;
    };
    type Output = unknown;
    type A = unknown;
    type B = unknown;
    type C = unknown;
  }

  namespace constructor {
    type Input = { [name: string]: unknown };
    type Output = unknown;
  }

  namespace deep {
    type Input = {
      x?: Array<Array<Array<Array<Array<Array<Array<Array<Array<Array<Array<Array<Array<Array<Array<Array<Array<Array<Array<Array<Array<Array<Array<Array<Array<Array<Array<Array<Array<Array<Array<unknown>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>;
    };
    type Output = unknown;
  }

  namespace ends____comments {
    type Input = {
      ""?: string;
      "\"; evil(); \""?: "*/\"\u2028\u202e";
      /**
       * *\/
       * @format *\/ @x
       * @pattern *\/
       * @default "*\/ evil"
       */
      "*/ a"?: string;
      "\\"?: "\\\"" | "`${x}`" | "\n";
      "ä"?: string;
      "\u202e"?: string;
    };
    type Output = unknown;
  }

  namespace names {
    type Input = {
      a?: Array2;
      b?: AB;
      c?: AB2;
      d?: Input2;
      e?: Unnamed;
      f?: _1;
    };
    type Output = unknown;
    type Array2 = Array<Array2>;
    type AB = string;
    type AB2 = number;
    type Input2 = boolean;
    type Unnamed = null;
    type _1 = 1;
  }

  namespace odd {
    type Input = {
      a?: unknown;
      b?: never;
      c?: unknown;
      d?: never;
      e?: never;
      f?: { [name: string]: unknown };
      g?: Array<unknown>;
      h?: {
        x: unknown;
      };
      i?: { [name: string]: unknown } | Array<unknown>;
      j?: unknown;
      k?: unknown;
      l?: unknown;
    };
    type Output = unknown;
  }

  namespace self {
    type Input = InputRoot;
    type Output = unknown;
    type InputRoot = unknown;
  }

  namespace wide {
    type Input = {
      big?: 12345678901234567890 | -0.5 | 1e+300;
      x?: number;
    };
    type Output = unknown;
  }

  namespace __ {
    type Input = { [name: string]: unknown };
    type Output = unknown;
  }
}

