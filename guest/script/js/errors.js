// Compiling the script, and telling of errors: kind, message, position and stack.
(function (host, kit) {
  const MAX_CAUSES = 4;
  const MAX_PLACE = 0x7fffffff;
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
  let lineCount = 0;
  let lastLine = "";
  // The lines of a script that is not all ASCII.
  let wideLines;
  // Where the compiler stopped. Only these errors are of the kind syntax-error, not those that the script throws itself.
  let compileError;

  // The frames of a stack without those of the prelude and of the engine's own functions.
  kit.ownFrames = function (stack) {
    const lines = kit.split(stack, "\n");
    const own = kit.list();
    for (let at = 0; at < lines.length; at++) {
      const line = kit.trim(lines[at]);
      if (line && kit.indexOf(line, "callgate:") < 0 && kit.indexOf(line, "(native)") < 0) kit.push(own, `    ${line}`);
    }
    return kit.join(own, "\n");
  };

  const isPlace = (number) => number >= 1 && number <= MAX_PLACE;

  // The place that a line of a stack names, when it is in the script.
  function placeIn(text) {
    const found = kit.exec(frame, text);
    if (!found || kit.slice(found[1], -fileName.length) !== fileName) return undefined;
    const line = asNumber(found[2]);
    const column = asNumber(found[3]);
    // A script can write its own stack.
    return isPlace(line) && isPlace(column) ? { __proto__: null, line, column } : undefined;
  }

  function positionOf(stack) {
    const lines = kit.split(stack, "\n");
    for (let at = 0; at < lines.length; at++) {
      const place = placeIn(lines[at]);
      if (place) return place;
    }
    return undefined;
  }

  // The engine counts columns in bytes, people and editors in characters (UTF-16, as JavaScript does).
  function columnOf(place) {
    const line = wideLines[place.line - 1] ?? "";
    let at = 0;
    while (at < line.length && kit.bytesOf(kit.slice(line, 0, at)) < place.column - 1) at += 1;
    return at + 1;
  }

  // The frames of the script for people.
  kit.toldFrames = function (stack) {
    const lines = kit.split(kit.ownFrames(stack), "\n");
    for (let at = 0; wideLines && at < lines.length; at++) {
      const place = placeIn(lines[at]);
      if (!place) continue;
      const end = kit.lastIndexOf(lines[at], `:${place.column}`);
      const rest = kit.slice(lines[at], end + `:${place.column}`.length);
      lines[at] = `${kit.slice(lines[at], 0, end)}:${columnOf(place)}${rest}`;
    }
    return kit.join(lines, "\n");
  };

  const isSyntaxError = (error) => kit.isPrototypeOf(SyntaxErrorClass.prototype, error);

  // The script ends in the middle of something, and what the compiler found there instead is not the script's.
  function endingTooSoon() {
    const last = kit.split(lastLine, "\r")[0];
    return withPlace(new SyntaxErrorClass("the script ends in the middle of something"), lineCount, kit.bytesOf(last) + 1);
  }

  function withPlace(error, line, column) {
    error.stack = `    at ${fileName}:${line}:${column}\n`;
    return error;
  }

  // Of two failed attempts, the one that came farther knows what the script is.
  function farther(one, other) {
    const first = positionOf(kit.stackOf(one));
    const second = positionOf(kit.stackOf(other));
    if (!first || !second) return first ? one : other;
    // What is behind the last line is no part of the script. A module has no `return`, so that attempt may have ended early.
    if (first.line > lineCount) return kit.indexOf(textOf(kit.messageOf(other)), "return not in") >= 0 ? endingTooSoon() : other;
    // A brace too many closes the function that a body is made, and what comes then is no fault of the script.
    if (kit.indexOf(textOf(kit.messageOf(other)), "'}'") >= 0) return other;
    if (first.line !== second.line) return first.line > second.line ? one : other;
    return first.column > second.column ? one : other;
  }

  // The script as a function without parameters that starts it. A module is what can't be the body of a function.
  kit.compile = function (source, file) {
    const lines = kit.split(source, "\n");
    fileName = file;
    lineCount = lines.length;
    lastLine = lines[lines.length - 1];
    wideLines = kit.bytesOf(source) === source.length ? undefined : lines;
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
      if (isSyntaxError(moduleError)) compileError = farther(bodyError, moduleError);
      else compileError = withImportPosition(moduleError, source);
      throw compileError;
    }
    return undefined;
  };

  // The engine doesn't say where an import is; the first one is the one that it refuses.
  function withImportPosition(error, source) {
    const found = kit.exec(/(^|[;\n])\s*(?:import|export)\b[^;'"]*['"]/, source);
    if (!found) return error;
    const before = kit.split(kit.slice(source, 0, found.index + found[0].length - 1), "\n");
    return withPlace(error, before.length, kit.bytesOf(before[before.length - 1]) + 1);
  }

  const OUT_OF_MEMORY = " (the run has the limit max_memory_bytes; raise it with --max-memory)";

  function hintOf(name, message) {
    if (name === "InternalError" && message === "out of memory") return OUT_OF_MEMORY;
    if (name !== "ReferenceError") return "";
    const missing = kit.exec(/^'?([\w$]+)'? is not defined$/, message);
    const hint = missing ? absent[missing[1]] : undefined;
    return hint ? ` (${hint})` : "";
  }

  function textOf(value) {
    return kit.wellFormed(typeof value === "string" ? value : kit.inspect(value));
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
      // Without memory for an error, the engine throws `null`.
      if (error === null && host.isShortOfMemory()) return { __proto__: null, name: "InternalError", message: `out of memory${OUT_OF_MEMORY}` };
      return { __proto__: null, name: "a thrown value", message: textOf(error) };
    }
    const name = textOf(kit.nameOf(error));
    let message = textOf(kit.messageOf(error));
    // Without memory for a message, the engine has this one.
    if (message === "Invalid error message" && host.isShortOfMemory()) message = `out of memory${OUT_OF_MEMORY}`;
    const stack = textOf(kit.toldFrames(kit.stackOf(error)));
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
      errors: depth < MAX_CAUSES ? membersOf(error, depth) : undefined,
    };
  }

  // What an AggregateError is made of.
  function membersOf(error, depth) {
    const errors = kit.dataOf(error, "errors");
    if (!kit.isArray(errors)) return undefined;
    const members = kit.list();
    for (let at = 0; at < errors.length && at < MAX_CAUSES; at++) kit.push(members, described(errors[at], depth + 1));
    return members;
  }

  function toolErrorOf(error) {
    const fields = { __proto__: null };
    for (let at = 0; at < TOOL_FIELDS.length; at++) fields[TOOL_FIELDS[at]] = asAnswered(kit.dataOf(error, TOOL_FIELDS[at]));
    return fields;
  }

  // What the server sent, unless the script has made something of it that is no JSON.
  function asAnswered(value) {
    try {
      kit.stringify(value);
      return value;
    } catch {
      return "[unreadable]";
    }
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
