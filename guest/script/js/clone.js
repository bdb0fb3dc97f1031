// `structuredClone`, as the HTML standard has it, for all that the engine knows. Nothing can be transferred.
(function (host, kit) {
  const mapForEach = kit.free(Map.prototype.forEach);
  const setForEach = kit.free(Set.prototype.forEach);
  const sliceBuffer = kit.free(ArrayBuffer.prototype.slice);
  const tagOf = kit.free(Object.prototype.toString);
  const toStringTag = Symbol.toStringTag;
  const viewName = kit.free(kit.descriptorOf(kit.prototypeOf(Uint8Array.prototype), toStringTag).get);
  const isView = ArrayBuffer.isView;
  const errors = { __proto__: null, Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
  const makers = kit.global;

  function refuse(value) {
    throw new DOMException(`${kit.inspect(value)} can't be cloned`, "DataCloneError");
  }

  // The kind of an object by what its methods accept, which it can't pretend.
  const brands = [
    ["Date", kit.free(Date.prototype.getTime)],
    ["RegExp", kit.free(kit.descriptorOf(RegExp.prototype, "hasIndices").get)],
    ["Map", kit.free(kit.descriptorOf(Map.prototype, "size").get)],
    ["Set", kit.free(kit.descriptorOf(Set.prototype, "size").get)],
    ["ArrayBuffer", kit.free(kit.descriptorOf(ArrayBuffer.prototype, "byteLength").get)],
    ["Number", kit.free(Number.prototype.valueOf)],
    ["String", kit.free(String.prototype.valueOf)],
    ["Boolean", kit.free(Boolean.prototype.valueOf)],
    ["BigInt", kit.free(BigInt.prototype.valueOf)],
  ];

  function brandOf(value) {
    if (kit.isArray(value)) return "Array";
    if (isView(value)) return "view";
    if (kit.isPrototypeOf(kit.Error.prototype, value)) return "Error";
    for (let at = 0; at < brands.length; at++) {
      try {
        brands[at][1](value);
        return brands[at][0];
      } catch {
        continue;
      }
    }
    return tagOf(value) === "[object Object]" ? "Object" : undefined;
  }

  function cloneView(value, clone) {
    const name = viewName(value) ?? "DataView";
    const buffer = clone(value.buffer);
    return new makers[name](buffer, value.byteOffset, name === "DataView" ? value.byteLength : value.length);
  }

  function cloneError(value, clone) {
    const name = kit.nameOf(value);
    const error = new (errors[name] ?? kit.Error)(kit.messageOf(value));
    error.stack = kit.stackOf(value);
    if (kit.descriptorOf(value, "cause")) error.cause = clone(value.cause);
    return error;
  }

  function started(value, brand, clone) {
    switch (brand) {
      case "Array":
        return new makers.Array(value.length);
      case "Object":
        return {};
      case "Map":
        return new kit.Map();
      case "Set":
        return new makers.Set();
      case "Date":
        return new makers.Date(+value);
      case "RegExp":
        return new makers.RegExp(value.source, value.flags);
      case "ArrayBuffer":
        return sliceBuffer(value, 0);
      case "view":
        return cloneView(value, clone);
      case "Error":
        return cloneError(value, clone);
      case "Number":
      case "String":
      case "Boolean":
      case "BigInt":
        return Object(value.valueOf());
      default:
        return refuse(value);
    }
  }

  function fill(copy, value, brand, clone) {
    if (brand === "Map") mapForEach(value, (entry, key) => kit.set(copy, clone(key), clone(entry)));
    if (brand === "Set") setForEach(value, (entry) => copy.add(clone(entry)));
    if (brand !== "Array" && brand !== "Object") return;
    const keys = kit.keysOf(value);
    for (let at = 0; at < keys.length; at++) {
      Object.defineProperty(copy, keys[at], {
        __proto__: null,
        value: clone(value[keys[at]]),
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
  }

  kit.define("structuredClone", function structuredClone(value, options) {
    if (options?.transfer?.length > 0) throw new DOMException("nothing can be transferred here", "DataCloneError");
    const copies = new kit.Map();
    const clone = (each) => {
      if (typeof each === "symbol" || typeof each === "function") refuse(each);
      if (typeof each !== "object" || each === null) return each;
      if (kit.has(copies, each)) return kit.get(copies, each);
      const brand = brandOf(each);
      const copy = started(each, brand, clone);
      kit.set(copies, each, copy);
      fill(copy, each, brand, clone);
      return copy;
    };
    return clone(value);
  });
})
