// The identifiers that stand for names of connections and tools. A name for which none does stands for itself.
(function (host, kit) {
  let names;

  // Takes what the host knows: for connections, and for the tools of each, objects with the names that an identifier can mean.
  kit.startNames = function (known) {
    names = known;
  };

  const inside = (object, key) => (object !== undefined && kit.hasOwn(object, key) ? object[key] : undefined);

  function only(meant, key, what, where) {
    if (meant === undefined) return key;
    if (meant.length > 1) {
      throw new kit.TypeError(`${where}.${key} can be the ${what}s ${kit.join(meant, " and ")}: use callTool, which takes the exact name`);
    }
    return meant[0];
  }

  kit.connectionNamed = (key) => (names ? only(inside(names.connections, key), key, "connection", "tools") : key);

  kit.toolNamed = (connection, key) =>
    names ? only(inside(inside(names.tools, connection), key), key, "tool", `tools.${connection}`) : key;
})
