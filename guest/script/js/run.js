// One run: from the input to the text that goes back to the host.
(function (host, kit) {
  let args = null;

  function numberOf(input, name, isRight) {
    const value = input[name];
    if (!isRight(value)) throw new kit.TypeError(`the input's ${name} is ${kit.inspect(value)}`);
    return value;
  }

  function textOf(input, name) {
    const value = input[name];
    if (typeof value !== "string") throw new kit.TypeError(`the input's ${name} is not a string`);
    return value;
  }

  // Where a BOM and a #! line are no JavaScript, they become what they mean: nothing, in the same columns.
  function withoutHead(source) {
    const hasMark = kit.charCodeAt(source, 0) === 0xfeff;
    const text = hasMark ? kit.slice(source, 1) : source;
    const plain = kit.startsWith(text, "#!") ? `//${kit.slice(text, 2)}` : text;
    return hasMark ? ` ${plain}` : plain;
  }

  async function valueOf(start) {
    if (start !== undefined) return await start();
    await host.evaluateModule();
    const value = host.moduleNamespace().default;
    // A class can't be called: it is a value, and one without JSON.
    return typeof value === "function" && !kit.isClass(value) ? await value(args) : await value;
  }

  // Starts the script that the input has; a promise of its value.
  kit.begin = function (input) {
    const source = textOf(input, "source");
    const file = textOf(input, "file");
    const now = numberOf(input, "now_ms", (value) => kit.isSafeInteger(value));
    const seed = numberOf(input, "seed", (value) => kit.isSafeInteger(value) && value >= 0);
    kit.startLogs(numberOf(input, "max_log_bytes", (value) => kit.isSafeInteger(value) && value >= 0));
    kit.startNames(input.names);
    const isStack = (value) => kit.isSafeInteger(value) && value > 0;
    host.start(now, seed, numberOf(input, "max_stack_bytes", isStack));
    args = input.args;
    kit.define("args", args);
    return started(source, file, input.only_compile === true);
  };

  async function started(source, file, isOnlyCompiled) {
    const start = kit.compile(withoutHead(source), file);
    if (isOnlyCompiled) return { __proto__: null, form: start === undefined ? "module" : "body" };
    return await valueOf(start);
  }

  // The members of `details` and of what is written in every run, as one JSON object.
  kit.detailsText = function (details) {
    const { logs, logs_cut } = kit.logs();
    details.logs = logs;
    details.logs_cut = logs_cut;
    return kit.stringify(details);
  };

  // A function as a result is most likely one that somebody forgot to call.
  function assertIsResult(value) {
    if (typeof value !== "function" && typeof value !== "symbol") return;
    const hint = kit.isClass(value) ? ": a class is not called, so export a function that is, or a value" : "";
    throw new kit.TypeError(`the result is ${kit.inspect(value)}, which has no JSON${hint}`);
  }

  kit.success = function (value) {
    const json = kit.stringify(value);
    if (json === undefined) assertIsResult(value);
    const rest = kit.detailsText({ __proto__: null });
    return `{"value":${json ?? "null"},${kit.slice(rest, 1)}`;
  };
})
