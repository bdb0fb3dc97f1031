// Flattens the server's JSON tree of a folder with a generator that calls itself.
function* paths(nodes, parent = "") {
  for (const { name, type, children = [] } of nodes) {
    const path = parent + name;
    if (type === "directory") yield* paths(children, `${path}/`);
    else yield path;
  }
}

const tree = JSON.parse((await tools.files.directory_tree({ path: "src" })).content);
const all = Array.from(paths(tree)).sort();
return { first: all.at(0), last: all.at(-1), all };
