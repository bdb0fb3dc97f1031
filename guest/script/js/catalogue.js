// The names behind `tools`: with a catalogue those that there are, without one all that are asked for.
(function (host, kit) {
  // Map from a key of `tools` or `tools.connection` to all the names that it can mean.
  function index(names) {
    const byKey = new kit.Map();
    const add = (key, name) => {
      const known = kit.get(byKey, key);
      if (known === undefined) kit.set(byKey, key, [name]);
      else if (known[0] !== name) kit.push(known, name);
    };
    for (let at = 0; at < names.length; at++) {
      add(names[at], names[at]);
      add(identifierOf(names[at]), names[at]);
    }
    return byKey;
  }

  function identifierOf(name) {
    let identifier = "";
    for (let at = 0; at < name.length; at++) {
      const letter = name[at];
      identifier += kit.exec(/[A-Za-z0-9_$]/, letter) ? letter : "_";
    }
    return kit.exec(/^[0-9]/, identifier) ? `_${identifier}` : identifier;
  }

  function only(byKey, key, what, where) {
    const names = kit.get(byKey, key);
    if (names === undefined) throw new kit.TypeError(`${where} has no ${what} ${key}`);
    if (names.length > 1) {
      throw new kit.TypeError(`${where}.${key} can be the ${what}s ${kit.join(names, " and ")}: use callTool, which takes the exact name`);
    }
    return names[0];
  }

  let connections;
  const toolsOf = new kit.Map();

  // Takes the catalogue of the input: an object with a list of tools for each connection.
  kit.startCatalogue = function (catalogue) {
    if (catalogue === undefined) return;
    const names = kit.keysOf(catalogue);
    connections = index(names);
    for (let at = 0; at < names.length; at++) kit.set(toolsOf, names[at], index(catalogue[names[at]]));
  };

  kit.connectionNamed = (key) => (connections ? only(connections, key, "connection", "tools") : key);

  kit.toolNamed = (connection, key) =>
    connections ? only(kit.get(toolsOf, connection), key, "tool", `tools.${connection}`) : key;
})
