// Values as text for people: what `console.log` writes, and what the report says of a thrown value.
//
// It reads no getter and calls no method of the value, so that looking changes nothing.
(function (host, kit) {
  const MAX_DEPTH = 4;
  const MAX_ENTRIES = 100;
  const MAX_LINE = 100;
  const MAX_CLASSES = 16;
  const dateToISO = kit.free(Date.prototype.toISOString);
  const dateValue = kit.free(Date.prototype.getTime);
  const regExpText = kit.free(RegExp.prototype.toString);
  const mapForEach = kit.free(Map.prototype.forEach);
  const setForEach = kit.free(Set.prototype.forEach);
  const typedName = kit.free(kit.descriptorOf(kit.prototypeOf(Uint8Array.prototype), Symbol.toStringTag).get);
  const symbolText = kit.free(Symbol.prototype.toString);
  const bigIntText = kit.free(BigInt.prototype.toString);
  const functionText = kit.free(Function.prototype.toString);
  const identifier = /^[A-Za-z_$][\w$]*$/;
  const frameName = /^\s*at (\S+) \(/;

  // The result of `read(value)`, or undefined where the value is of another kind.
  function tried(read, value) {
    try {
      return read(value);
    } catch {
      return undefined;
    }
  }

  // A property that is plain data, on the value or its prototypes.
  function dataOf(value, name) {
    for (let at = value; at !== null && at !== undefined; at = kit.prototypeOf(at)) {
      const descriptor = kit.descriptorOf(at, name);
      // A descriptor of a getter has no value, but its prototype, which is the script's, may have one.
      if (descriptor) return kit.hasOwn(descriptor, "value") ? descriptor.value : undefined;
    }
    return undefined;
  }

  const stackGetter = getterOf(Error, "stack");
  const exceptionName = getterOf(DOMException, "name");
  const exceptionMessage = getterOf(DOMException, "message");

  function getterOf(constructor, name) {
    return kit.free(kit.descriptorOf(constructor.prototype, name).get);
  }

  // The parts of an error, which for some kinds are getters of the engine.
  function nameOf(error) {
    return dataOf(error, "name") ?? tried(exceptionName, error);
  }

  function messageOf(error) {
    return dataOf(error, "message") ?? tried(exceptionMessage, error);
  }

  function stackOf(error) {
    const stack = dataOf(error, "stack") ?? tried(stackGetter, error);
    return typeof stack === "string" ? withoutConstructors(stack, error) : "";
  }

  // An error of the script's own class was made where `new` stands. The engine's stack begins deeper, in the constructors.
  function withoutConstructors(stack, error) {
    const classes = { __proto__: null };
    let at = kit.prototypeOf(error);
    for (let depth = 0; at !== null && depth < MAX_CLASSES; depth++) {
      const name = className(at);
      if (name) classes[name] = true;
      at = kit.prototypeOf(at);
    }
    const lines = kit.split(stack, "\n");
    let first = 0;
    for (let found; first < lines.length && (found = kit.exec(frameName, lines[first])) && classes[found[1]]; ) first += 1;
    const kept = kit.list();
    for (; first < lines.length; first++) kit.push(kept, lines[first]);
    return kit.join(kept, "\n");
  }

  function className(value) {
    const constructor = dataOf(value, "constructor");
    const name = typeof constructor === "function" ? dataOf(constructor, "name") : undefined;
    return typeof name === "string" ? name : "";
  }

  function errorText(error) {
    const name = nameOf(error);
    const message = messageOf(error);
    const head = message ? `${text(name)}: ${text(message)}` : text(name);
    const frames = kit.toldFrames(stackOf(error));
    return frames ? `${head}\n${frames}` : head;
  }

  function text(value) {
    return typeof value === "string" ? value : inspect(value, 0, kit.list());
  }

  function keyText(key) {
    if (typeof key === "symbol") return `[${symbolText(key)}]`;
    return kit.exec(identifier, key) ? key : kit.stringify(key);
  }

  function wrapped(open, parts, close) {
    if (parts.length === 0) return open + close;
    const line = `${open} ${kit.join(parts, ", ")} ${close}`;
    if (line.length <= MAX_LINE && kit.indexOf(line, "\n") < 0) return line;
    for (let at = 0; at < parts.length; at++) parts[at] = `  ${kit.join(kit.split(parts[at], "\n"), "\n  ")}`;
    return `${open}\n${kit.join(parts, ",\n")}\n${close}`;
  }

  function entries(value, depth, seen, isList) {
    const parts = kit.list();
    const keys = kit.ownKeys(value);
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at];
      const descriptor = kit.descriptorOf(value, key);
      if (!descriptor || !descriptor.enumerable) continue;
      if (parts.length === MAX_ENTRIES) {
        kit.push(parts, `... ${keys.length - at} more`);
        break;
      }
      const shown = kit.hasOwn(descriptor, "value") ? inspect(descriptor.value, depth + 1, seen) : "[getter]";
      const isIndex = isList && typeof key === "string" && kit.exec(/^\d+$/, key);
      kit.push(parts, isIndex ? shown : `${keyText(key)}: ${shown}`);
    }
    return parts;
  }

  function collection(value, depth, seen) {
    const parts = kit.list();
    const inner = (each) => inspect(each, depth + 1, seen);
    const isMap = tried((it) => (mapForEach(it, (entry, key) => kit.push(parts, `${inner(key)} => ${inner(entry)}`)), true), value);
    if (isMap) return wrapped(`Map(${parts.length}) {`, parts, "}");
    const isSet = tried((it) => (setForEach(it, (entry) => kit.push(parts, inner(entry))), true), value);
    if (isSet) return wrapped(`Set(${parts.length}) {`, parts, "}");
    return undefined;
  }

  function object(value, depth, seen) {
    for (let at = 0; at < seen.length; at++) if (seen[at] === value) return "[circular]";
    const time = tried(dateValue, value);
    if (time !== undefined) return time === time ? dateToISO(value) : "Invalid Date";
    if (kit.isPrototypeOf(kit.Error.prototype, value)) return errorText(value);
    if (kit.exec(/^RegExp$/, className(value))) return tried(regExpText, value) ?? "RegExp {}";
    const name = className(value);
    if (depth > MAX_DEPTH) return kit.isArray(value) ? "[array]" : `[${name || "object"}]`;
    kit.push(seen, value);
    let shown = collection(value, depth, seen);
    if (shown === undefined) {
      const typed = tried(typedName, value);
      if (kit.isArray(value)) shown = wrapped("[", entries(value, depth, seen, true), "]");
      else if (typed) shown = wrapped(`${typed}(${value.length}) [`, entries(value, depth, seen, true), "]");
      else {
        const head = name === "Object" ? "" : `${name || "[no prototype]"} `;
        shown = wrapped(`${head}{`, entries(value, depth, seen, false), "}");
      }
    }
    kit.splice(seen, seen.length - 1, 1);
    return shown;
  }

  // A method can have the name "class", but no prototype, and what else has one doesn't begin with that word.
  kit.isClass = function (value) {
    const isNamed = typeof value === "function" && kit.startsWith(functionText(value), "class");
    return isNamed && kit.descriptorOf(value, "prototype")?.writable === false;
  };

  function functionName(value) {
    const name = dataOf(value, "name");
    const kind = kit.isClass(value) ? "class" : "function";
    return `[${kind} ${typeof name === "string" && name ? name : "(anonymous)"}]`;
  }

  function inspect(value, depth, seen) {
    switch (typeof value) {
      case "string":
        return depth === 0 ? value : kit.stringify(value);
      case "bigint":
        return `${bigIntText(value)}n`;
      case "symbol":
        return symbolText(value);
      case "function":
        return functionName(value);
      case "object":
        if (value === null) return "null";
        // A proxy can throw at every step.
        return tried((it) => object(it, depth, seen), value) ?? "[unreadable]";
      default:
        return value === 0 && 1 / value < 0 ? "-0" : `${value}`;
    }
  }

  kit.inspect = (value) => inspect(value, 0, kit.list());
  kit.dataOf = dataOf;
  kit.nameOf = nameOf;
  kit.messageOf = messageOf;
  kit.stackOf = stackOf;
})
