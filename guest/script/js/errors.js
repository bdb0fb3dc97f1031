// Compiling the script, and telling of errors: kind, message, position and stack.
(function (host, kit) {
  const MAX_CAUSES = 4;
  const TOOL_FIELDS = ["kind", "connection", "tool", "reason", "cause", "detail", "code", "data", "output"];
  const SyntaxErrorClass = SyntaxError;
  const ReferenceErrorClass = ReferenceError;
  const frame = /\(?([^()\s][^()]*?):(\d+):(\d+)\)?$/;
  const asNumber = Number;

  // What scripts that were written for elsewhere ask for, and what to do here.
  const absent = {
    __proto__: null,
    fetch: "the network is reached through tools alone: call one of a server that fetches",
    require: "a script is one file, without modules, packages and files beside it",
    process: "a script has no process, environment or arguments but `args`",
    Deno: "this is no Deno: files and the network are reached through tools alone",
    Bun: "this is no Bun: files and the network are reached through tools alone",
    Buffer: "bytes are Uint8Array here; TextEncoder, atob and toBase64 convert",
    XMLHttpRequest: "the network is reached through tools alone",
    WebSocket: "the network is reached through tools alone",
    window: "this is no browser",
    document: "this is no browser",
    setImmediate: "use setTimeout or queueMicrotask",
    __dirname: "a script has no files",
    __filename: "a script has no files",
    module: "use `return` or `export default` for the result",
    exports: "use `return` or `export default` for the result",
    crypto: "there is no randomness but Math.random, which starts from the run's seed",
    Intl: "the engine has no Intl",
  };

  for (const name of ["fetch", "require"]) {
    kit.define(name, { [name]() { throw new kit.Error(`there is no ${name} in a script: ${absent[name]}`); } }[name]);
  }

  let fileName = "";
  // Where the compiler stopped. Only these errors are of the kind syntax-error, not those that the script throws itself.
  let compileError;

  // The frames of a stack without those of the prelude and of the engine's own functions.
  kit.ownFrames = function (stack) {
    const lines = kit.split(stack, "\n");
    const own = [];
    for (let at = 0; at < lines.length; at++) {
      const line = kit.trim(lines[at]);
      if (line && kit.indexOf(line, "callgate:") < 0 && kit.indexOf(line, "(native)") < 0) kit.push(own, `    ${line}`);
    }
    return kit.join(own, "\n");
  };

  function positionOf(stack) {
    const lines = kit.split(stack, "\n");
    for (let at = 0; at < lines.length; at++) {
      const found = kit.exec(frame, lines[at]);
      if (found && kit.slice(found[1], -fileName.length) === fileName) return { line: asNumber(found[2]), column: asNumber(found[3]) };
    }
    return undefined;
  }

  const isSyntaxError = (error) => kit.isPrototypeOf(SyntaxErrorClass.prototype, error);

  // Of two failed attempts, the one that came farther knows what the script is.
  function farther(one, other) {
    const first = positionOf(kit.stackOf(one));
    const second = positionOf(kit.stackOf(other));
    if (!first || !second) return first ? one : other;
    if (first.line !== second.line) return first.line > second.line ? one : other;
    return first.column > second.column ? one : other;
  }

  // The script as a function without parameters that starts it. A module is what can't be the body of a function.
  kit.compile = function (source, file) {
    fileName = file;
    let bodyError;
    try {
      return host.compileBody(source, file);
    } catch (error) {
      bodyError = error;
    }
    try {
      host.compileModule(source, file);
    } catch (moduleError) {
      // An import that is refused is found after the whole module was read.
      compileError = isSyntaxError(moduleError) ? farther(bodyError, moduleError) : moduleError;
      throw compileError;
    }
    return undefined;
  };

  function hintOf(name, message) {
    if (name !== "ReferenceError") return "";
    const missing = kit.exec(/^'?([\w$]+)'? is not defined$/, message);
    const hint = missing ? absent[missing[1]] : undefined;
    return hint ? ` (${hint})` : "";
  }

  function textOf(value) {
    return typeof value === "string" ? value : kit.inspect(value);
  }

  // A thrown proxy can throw when it is looked at.
  function described(error, depth) {
    try {
      return read(error, depth);
    } catch {
      return { __proto__: null, name: "a thrown value", message: "[unreadable]" };
    }
  }

  function read(error, depth) {
    if (!kit.isPrototypeOf(kit.Error.prototype, error)) {
      return { __proto__: null, name: "a thrown value", message: kit.inspect(error) };
    }
    const name = textOf(kit.nameOf(error));
    const message = textOf(kit.messageOf(error));
    const stack = kit.ownFrames(kit.stackOf(error));
    const position = positionOf(stack);
    const isTool = kit.isToolError(error);
    const cause = isTool ? undefined : kit.dataOf(error, "cause");
    return {
      __proto__: null,
      name,
      message: message + hintOf(name, message),
      line: position?.line,
      column: position?.column,
      stack,
      tool_error: isTool ? toolErrorOf(error) : undefined,
      cause: cause !== undefined && depth < MAX_CAUSES ? described(cause, depth + 1) : undefined,
    };
  }

  function toolErrorOf(error) {
    const fields = { __proto__: null };
    for (let at = 0; at < TOOL_FIELDS.length; at++) fields[TOOL_FIELDS[at]] = kit.dataOf(error, TOOL_FIELDS[at]);
    return fields;
  }

  function sentenceOf(kind, error) {
    if (kind === "never-settles") return "the script waits for a promise that nothing is left to settle";
    const where = error.line === undefined ? "" : ` at ${fileName}:${error.line}:${error.column}`;
    const what = error.name === "a thrown value" ? `it threw ${error.message}` : `${error.name}: ${error.message}`;
    return kind === "unhandled-rejection" ? `a promise was rejected and nothing handled it: ${what}${where}` : what + where;
  }

  kit.failure = function (how, error) {
    let kind = how;
    if (error !== undefined && error === compileError) kind = isSyntaxError(error) ? "syntax-error" : "refused-import";
    else if (kind === "exception" && kit.isToolError(error)) kind = kit.dataOf(error, "kind");
    const told = how === "never-settles" ? undefined : described(error, 0);
    const details = { __proto__: null, error: told };
    return [kind, sentenceOf(kind, told), kit.detailsText(details)];
  };
})
