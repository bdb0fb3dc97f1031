// Calls of tools: `callTool`, `tools`, and the errors with which they end.
(function (host, kit) {
  const begin = host.call;

  // Who has it can make a ToolError.
  const key = kit.freeze(kit.create(null));

  class ToolError extends kit.Error {
    // Only this file can make an object that has it, so nothing else is taken for one.
    #isGenuine = true;

    constructor(message, stack, fields, given) {
      if (given !== key) throw new kit.TypeError("a ToolError can't be made: a call that fails rejects with one");
      super(message);
      // In place of the position of this line: where the script made the call.
      kit.give(this, "stack", stack, true);
      const names = kit.keysOf(fields);
      // They say what happened, also in the report, so a script can't make something else of them.
      for (let at = 0; at < names.length; at++) kit.give(this, names[at], fields[names[at]], false);
      kit.give(this, "retryable", fields.kind === "not-sent", false);
      kit.give(this, "outcomeUnknown", fields.kind === "outcome-unknown", false);
    }

    static isToolError(value) {
      return typeof value === "object" && value !== null && #isGenuine in value;
    }
  }
  Object.defineProperty(ToolError.prototype, "name", { __proto__: null, value: "ToolError", writable: false });
  const isToolError = ToolError.isToolError;
  delete ToolError.isToolError;
  kit.freeze(ToolError.prototype);
  kit.freeze(ToolError);

  function messageOf(name, kind, answer) {
    switch (kind) {
      case "refused":
        return `${name} was refused (${answer.reason}): ${answer.detail}`;
      case "not-sent":
        return `${name} was not sent (${answer.cause}): ${answer.detail}`;
      case "rejected":
        return `${name} was rejected by its server (${answer.code}): ${answer.detail}`;
      case "outcome-unknown":
        return `whether ${name} happened is unknown (${answer.cause}): ${answer.detail}`;
      default:
        return `${name} failed: ${typeof answer.output === "string" ? answer.output : kit.stringify(answer.output)}`;
    }
  }

  // Of a call that was made in this place. `kind` is the case of the WIT's error, or "tool-failed".
  kit.errorOfCall = function (place, connection, tool, kind, answer) {
    const fields = { __proto__: null, kind, connection, tool };
    const names = kit.keysOf(answer);
    for (let at = 0; at < names.length; at++) {
      if (names[at] !== "outcome") fields[names[at]] = answer[names[at]];
    }
    const stack = kit.ownFrames(typeof place.stack === "string" ? place.stack : "");
    return new ToolError(messageOf(`${connection}/${tool}`, kind, answer), stack, fields, key);
  };

  kit.errorOfArguments = function (value) {
    const isObject = typeof value === "object" && value !== null && !kit.isArray(value);
    if (isObject) return new kit.TypeError("the arguments of a tool are not an object as JSON");
    return new kit.TypeError(`the arguments of a tool are an object, not ${kit.inspect(value)}`);
  };

  function rejected(error) {
    const { promise, reject } = kit.resolvers();
    reject(error);
    return promise;
  }

  const misnamed = (what, value) => rejected(new kit.TypeError(`${what} is a string, not ${kit.inspect(value)}`));

  function callTool(connection, tool, values) {
    if (typeof connection !== "string") return misnamed("a connection", connection);
    if (typeof tool !== "string") return misnamed("a tool", tool);
    return begin(connection, tool, values, false);
  }

  // Promises ask every value for `then` and JSON.stringify asks for `toJSON`, so these two are no names here.
  const isName = (key) => key !== "then" && key !== "toJSON";

  // What a connection is when it is called: whoever does has left out the connection, or the tool.
  function misuse(name) {
    const message = `tools.${name} is a connection and no tool: a tool is called as tools.CONNECTION.TOOL({ ... })`;
    return () => rejected(new kit.TypeError(message));
  }

  const tools = host.named((key) => {
    if (!isName(key)) return undefined;
    const connection = kit.connectionNamed(key);
    return host.named((toolKey) => {
      if (!isName(toolKey)) return undefined;
      const tool = kit.toolNamed(connection, toolKey);
      return (values) => begin(connection, tool, values, true);
    }, misuse(key));
  });

  kit.isToolError = isToolError;
  kit.defineFixed("callTool", kit.freeze(callTool));
  kit.defineFixed("tools", tools);
  kit.defineFixed("ToolError", ToolError);
})
