// Calls of tools: `callTool`, `tools`, and the errors with which they end.
(function (host, kit) {
  const captureStackTrace = kit.captureStackTrace;

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

  function messageOf(slot, kind, answer) {
    const name = `${slot.connection}/${slot.tool}`;
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

  function errorOf(slot, kind, answer) {
    const { connection, tool } = slot;
    const fields = { __proto__: null, kind, connection, tool };
    const names = kit.keysOf(answer);
    for (let at = 0; at < names.length; at++) {
      if (names[at] !== "outcome") fields[names[at]] = answer[names[at]];
    }
    return new ToolError(messageOf(slot, kind, answer), slot.stack, fields, key);
  }

  function argumentsText(value) {
    if (value === undefined) return "{}";
    if (typeof value !== "object" || value === null || kit.isArray(value)) {
      throw new kit.TypeError(`the arguments of a tool are an object, not ${kit.inspect(value)}`);
    }
    const json = kit.stringify(value);
    if (typeof json !== "string" || json[0] !== "{") throw new kit.TypeError("the arguments of a tool are not an object as JSON");
    return json;
  }

  function nameText(what, value) {
    if (typeof value !== "string") throw new kit.TypeError(`${what} is a string, not ${kit.inspect(value)}`);
    return value;
  }

  // A promise of the whole answer, or with `wantsOutput` of its output alone.
  function call(connection, tool, values, wantsOutput, caller) {
    const json = argumentsText(values);
    const here = kit.create(null);
    captureStackTrace(here, caller);
    const { promise, resolve, reject } = kit.resolvers();
    const stack = kit.ownFrames(typeof here.stack === "string" ? here.stack : "");
    host.call(connection, tool, json, { __proto__: null, connection, tool, stack, wantsOutput, resolve, reject });
    return promise;
  }

  // Called with the end of a call: its slot, "answered" or the case of the error, and the answer.
  kit.settle = function (slot, how, answer) {
    if (how === "unreadable") slot.reject(answer);
    else if (how !== "answered") slot.reject(errorOf(slot, how, answer));
    else if (!slot.wantsOutput) slot.resolve(answer);
    else if (answer.outcome === "error") slot.reject(errorOf(slot, "tool-failed", answer));
    else slot.resolve(answer.output);
  };

  function rejected(work) {
    try {
      return work();
    } catch (error) {
      const { promise, reject } = kit.resolvers();
      reject(error);
      return promise;
    }
  }

  function callTool(connection, tool, values) {
    return rejected(() => call(nameText("a connection", connection), nameText("a tool", tool), values, false, callTool));
  }

  // An object whose properties are made when they are asked for. Promises ask every value for `then` and JSON.stringify asks
  // for `toJSON`, so these two are no names here.
  function named(target, make) {
    const made = new kit.Map();
    return new Proxy(kit.freeze(target), {
      __proto__: null,
      get(target, key) {
        if (typeof key === "symbol" || key === "then" || key === "toJSON") return undefined;
        if (!kit.has(made, key)) kit.set(made, key, make(key));
        return kit.get(made, key);
      },
    });
  }

  // What a connection is when it is called: whoever does has left out the connection, or the tool.
  function misuse(name) {
    const message = `tools.${name} is a connection and no tool: a tool is called as tools.CONNECTION.TOOL({ ... })`;
    const target = () => rejected(() => { throw new kit.TypeError(message); });
    const names = kit.ownKeys(target);
    for (let at = 0; at < names.length; at++) delete target[names[at]];
    return kit.withoutPrototype(target);
  }

  const tools = named(kit.create(null), (key) => {
    const connection = kit.connectionNamed(key);
    return named(misuse(key), (toolKey) => {
      const tool = kit.toolNamed(connection, toolKey);
      const work = (values) => rejected(() => call(connection, tool, values, true, work));
      return work;
    });
  });

  kit.isToolError = isToolError;
  kit.defineFixed("callTool", kit.freeze(callTool));
  kit.defineFixed("tools", tools);
  kit.defineFixed("ToolError", ToolError);
})
