// `console`: the lines of the run, in order, up to a number of bytes.
(function (host, kit) {
  const formats = /%[sdifjoOc%]/;
  const asNumber = Number;
  const asInteger = parseInt;

  const lines = kit.list();
  let maxBytes = 0;
  let usedBytes = 0;
  let cutLines = 0;
  let indent = "";

  function formatted(directive, value) {
    switch (directive) {
      case "%d":
        return typeof value === "object" ? "NaN" : kit.inspect(asNumber(value));
      case "%i":
        return typeof value === "object" ? "NaN" : kit.inspect(asInteger(value, 10));
      case "%f":
        return typeof value === "symbol" ? "NaN" : kit.inspect(asNumber(value));
      case "%j":
        return kit.stringify(value);
      case "%c":
        return "";
      default:
        return kit.inspect(value);
    }
  }

  function lineOf(values) {
    let line = "";
    let next = 0;
    if (typeof values[0] === "string") {
      let rest = values[0];
      next = 1;
      // As in Node.js: a text alone is no format, and directives for which there is no value stay.
      for (let found; values.length > 1 && (found = kit.exec(formats, rest)); ) {
        const directive = found[0];
        line += kit.slice(rest, 0, found.index);
        if (directive === "%%") line += "%";
        else line += next < values.length ? formatted(directive, values[next++]) : directive;
        rest = kit.slice(rest, found.index + 2);
      }
      line += rest;
    }
    for (; next < values.length; next++) line += (next > 0 ? " " : "") + kit.inspect(values[next]);
    return indent ? indent + kit.join(kit.split(line, "\n"), `\n${indent}`) : line;
  }

  function write(level, line) {
    // After a line that didn't fit nothing is kept, so that what is kept has no gaps. Counting bytes takes long, so a line that
    // has too many characters already is not counted.
    const bytes = cutLines > 0 || usedBytes + line.length > maxBytes ? Infinity : kit.bytesOf(line);
    if (usedBytes + bytes > maxBytes) {
      cutLines += 1;
      return;
    }
    usedBytes += bytes;
    // A text that was cut in the middle of a character is a line, too, and the host takes UTF-8 alone.
    kit.push(lines, { __proto__: null, level, text: kit.wellFormed(line) });
  }

  const at = (level) => ({ [level](...values) { write(level, lineOf(values)); } })[level];

  kit.define("console", {
    log: at("log"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    debug: at("debug"),
    dir(value) {
      write("log", lineOf([value]));
    },
    table(value) {
      write("log", lineOf([value]));
    },
    trace(...values) {
      const here = {};
      kit.captureStackTrace(here);
      write("debug", `Trace: ${lineOf(values)}\n${kit.toldFrames(kit.String(here.stack))}`);
    },
    assert(holds, ...values) {
      if (!holds) write("error", values.length > 0 ? `Assertion failed: ${lineOf(values)}` : "Assertion failed");
    },
    group(...values) {
      if (values.length > 0) write("log", lineOf(values));
      indent += "  ";
    },
    groupEnd() {
      indent = kit.slice(indent, 2);
    },
  });

  kit.startLogs = function (bytes) {
    maxBytes = bytes;
  };

  // What the script has written, for the output of the run.
  kit.logs = () => ({
    __proto__: null,
    logs: lines,
    logs_cut: cutLines > 0 ? { __proto__: null, lines: cutLines, max_log_bytes: maxBytes } : undefined,
  });
})
