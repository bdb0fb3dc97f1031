// A workflow in JavaScript: makes the calls of its input, one after the other, and returns what each heard.

import { callTool } from "callgate:mcp/tools@0.1.0";

export const run = {
  async run(input) {
    try {
      return JSON.stringify(JSON.parse(input).map(heard));
    } catch (error) {
      // Whatever else is thrown than the failure of the WIT is a trap.
      throw { kind: "invalid-input", message: `the input doesn't fit: ${error.message}`, details: null };
    }
  },
};

const isText = (text) => typeof text === "string" && text.isWellFormed();

function heard({ connection, tool, arguments: given }) {
  const texts = [connection, tool, JSON.stringify(given)];
  // A text that is none, or that UTF-8 can't hold, is a trap in the call, and nothing catches that.
  if (!texts.every(isText)) throw new TypeError("a call needs a connection, a tool and arguments");
  try {
    return { output: JSON.parse(callTool(...texts).output) };
  } catch (error) {
    // An error of the WIT is the `payload` of what the import throws: here one of four cases.
    if (error.payload === undefined) throw error;
    return { error: error.payload.tag };
  }
}
