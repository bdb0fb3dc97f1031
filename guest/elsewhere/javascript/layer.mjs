// A middleware in JavaScript: refuses calls whose arguments name a password, and passes everything else on.

import { callTool } from "callgate:mcp/tools@0.1.0";

export const tools = {
  callTool(connection, tool, text) {
    if (text.includes("password")) {
      const detail = `javascript layer: the arguments of \`${tool}\` name a password`;
      throw { tag: "refused", val: { reason: "denied", detail } };
    }
    // What is behind throws one of the four cases; it passes through as it is.
    return callTool(connection, tool, text);
  },
};
