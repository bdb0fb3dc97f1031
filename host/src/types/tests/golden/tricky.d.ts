// What scripts of `callgate run` may call, as the servers list it. Made by `callgate types`; make it anew rather than edit it.
/// <reference no-default-lib="true" />
/// <reference lib="es2023" />

/** The servers, by their names in the configuration. */
declare const tools: {
  readonly "no tools": Tools.no_tools.$Tools;
  readonly tricky: Tools.tricky.$Tools;
};

declare namespace Tools.no_tools {
  interface $Tools {
  }
}

declare namespace Tools.tricky {
  interface $Tools {
    /** Takes anything */
    anything(args?: anything.Input): Promise<anything.Output>;
    choices(args?: choices.Input): Promise<choices.Output>;
    /**
     * Its name is a word of the language.
     *
     * Says its server: may change things, may destroy, twice is more than once, reaches beyond its server.
     * @deprecated
     */
    delete(args: $delete.Input): Promise<$delete.Output>;
    lists(args?: lists.Input): Promise<lists.Output>;
    maps(args?: maps.Input): Promise<maps.Output>;
    "no-arguments"(args?: no_arguments.Input): Promise<no_arguments.Output>;
    optional_only(args?: optional_only.Input): Promise<optional_only.Output>;
    /**
     * Does a thing. And more of it.
     *
     * Says its server: read-only.
     */
    plain(args: plain.Input): Promise<plain.Output>;
    tree(args: tree.Input): Promise<tree.Output>;
    "true-schema"(args: true_schema.Input): Promise<true_schema.Output>;
  }

  namespace anything {
    type Input = { [name: string]: unknown };
    type Output = unknown;
  }

  namespace choices {
    type Input = {
      both?: {
        a: string;
        b?: string;
      };
      either?: {
        id?: string;
        name?: string;
      } & ({
        id: unknown;
      } | {
        name: unknown;
      });
      list?: Array<string | number>;
      old?: string | null;
      shape?: {
        kind: "circle";
        radius: number;
      } | {
        kind: "square";
        side: number;
      };
    };
    type Output = unknown;
  }

  namespace $delete {
    type Input = {
      class: "x";
      "2nd"?: number;
      __proto__?: null;
      "constructor"?: string;
      "with space"?: string;
    };
    type Output = unknown;
  }

  namespace lists {
    type Input = {
      any?: Array<unknown>;
      /** @minItems 1 */
      draft7?: [string, (number)?];
      never?: Array<never>;
      open?: [string, ...Array<boolean>];
      pair?: [string, number];
      /**
       * @minItems 1
       * @uniqueItems true
       */
      unique?: Array<string>;
    };
    type Output = unknown;
  }

  namespace maps {
    type Input = {
      closed?: { [name: string]: never };
      map?: { [name: string]: number };
      mixed?: {
        a?: string;
        [name: string]: unknown;
      };
      patterns?: { [name: string]: string | number };
      [name: string]: unknown;
    };
    type Output = unknown;
  }

  namespace no_arguments {
    type Input = { [name: string]: never };
    type Output = unknown;
  }

  namespace optional_only {
    type Input = {
      limit?: number | null;
      mode?: "fast" | "slow" | 1 | true | null;
    };
    type Output = unknown;
  }

  namespace plain {
    type Input = {
      /** The second. */
      b: string;
      /**
       * @minimum 1
       * @maximum 10
       * @default 3
       */
      a?: number;
      /** @deprecated */
      c?: boolean;
    };
    type Output = {
      /** @format date-time */
      at: string;
    };
  }

  namespace tree {
    type Input = {
      root: TreeNode;
    };
    type Output = {
      again?: OutputRoot;
      node?: TreeNode2;
    };
    /** A node. */
    type TreeNode = {
      children: Array<TreeNode>;
      value?: Value2;
    };
    type Value2 = string | Array<Value2>;
    type OutputRoot = {
      again?: OutputRoot;
      node?: TreeNode2;
    };
    type TreeNode2 = {
      next?: TreeNode2;
    };
  }

  namespace true_schema {
    type Input = {
      x: unknown;
      unlisted: unknown;
      anchored?: Here;
      lost?: unknown;
      remote?: unknown;
      y?: never;
      z?: unknown;
    };
    type Output = unknown;
    type Here = string;
  }
}

