// What a test finds beside the language, as INTERPRETING.md of the suite asks for it. Of `$262` only what a script can do by
// itself: there are no other realms, agents and scripts.
(() => {
  const { log } = console;
  const define = (name, value) => {
    Object.defineProperty(globalThis, name, { value, writable: true, enumerable: false, configurable: true });
  };
  define("print", (message) => log(String(message)));
  define("$262", {
    global: globalThis,
    detachArrayBuffer(buffer) {
      buffer.transfer();
      return null;
    },
  });
})();
