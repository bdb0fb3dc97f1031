// What the prelude uses of the language, taken before any script can change it.
//
// A script may replace every global and every method of a prototype. The prelude must still count, quote and report what
// happened, so its files call nothing by name that a script can reach: neither `array.push(x)` nor `for (of)`, spreading or
// destructuring of arrays, which ask the array's iterator.
(function (host, kit) {
  const { bind, call } = Function.prototype;
  // Nothing could share it.
  delete globalThis.SharedArrayBuffer;
  // method(receiver, ...arguments) for receiver.method(...arguments)
  const free = bind.bind(call);

  kit.free = free;
  kit.global = globalThis;
  kit.Error = Error;
  kit.Map = Map;
  kit.String = String;
  kit.TypeError = TypeError;
  kit.captureStackTrace = Error.captureStackTrace;
  kit.stringify = JSON.stringify;
  kit.isArray = Array.isArray;
  kit.isSafeInteger = Number.isSafeInteger;
  kit.create = Object.create;
  kit.freeze = Object.freeze;
  kit.defineProperty = Object.defineProperty;
  kit.hasOwn = Object.hasOwn;
  kit.keysOf = Object.keys;
  kit.ownKeys = Reflect.ownKeys;
  kit.descriptorOf = Reflect.getOwnPropertyDescriptor;
  kit.prototypeOf = Reflect.getPrototypeOf;
  kit.apply = Reflect.apply;
  kit.resolvers = Promise.withResolvers.bind(Promise);

  kit.push = free(Array.prototype.push);
  kit.splice = free(Array.prototype.splice);
  kit.join = free(Array.prototype.join);
  kit.indexOf = free(String.prototype.indexOf);
  kit.lastIndexOf = free(String.prototype.lastIndexOf);
  kit.slice = free(String.prototype.slice);
  kit.split = free(String.prototype.split);
  kit.trim = free(String.prototype.trim);
  kit.charCodeAt = free(String.prototype.charCodeAt);
  kit.startsWith = free(String.prototype.startsWith);
  kit.wellFormed = free(String.prototype.toWellFormed);
  kit.exec = free(RegExp.prototype.exec);
  kit.get = free(Map.prototype.get);
  kit.set = free(Map.prototype.set);
  kit.has = free(Map.prototype.has);
  kit.isPrototypeOf = free(Object.prototype.isPrototypeOf);

  const setPrototypeOf = Object.setPrototypeOf;
  kit.withoutPrototype = (object) => setPrototypeOf(object, null);

  // An empty list on which nothing has an effect that a script puts on the prototypes of arrays and objects, be it a setter of
  // "0" or `toJSON`. What is pushed and is joined or becomes JSON is kept in one.
  kit.list = () => kit.withoutPrototype([]);

  // Gives an object a property, also where its prototypes have a setter of that name.
  kit.give = function (object, name, value, writable) {
    kit.defineProperty(object, name, { __proto__: null, value, writable, enumerable: true, configurable: writable });
  };

  // Gives the script a global: writable as the language's own are, and not listed.
  kit.define = function (name, value) {
    Object.defineProperty(globalThis, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  };

  // Gives the script a global that stays what it is.
  kit.defineFixed = function (name, value) {
    Object.defineProperty(globalThis, name, { __proto__: null, value, writable: false, enumerable: true, configurable: false });
  };

  // How many bytes a text has in UTF-8.
  kit.bytesOf = host.bytesOf;
})
