// Makes `call-tool` an async function again in a component that was built with one that isn't, in place.
//
//   node make-async.mjs COMPONENT...
//
// A function type is a byte that says which, then the number of parameters, then the first one's length and name (the component
// model, "Type Definitions" in Binary.md). That byte is all that differs. The component still calls as it did: it waits.

import { readFileSync, writeFileSync } from "node:fs";

const SYNC = 0x40;
const ASYNC = 0x43;
const CALL_TOOL = Buffer.concat([Buffer.from([SYNC, 3, "connection".length]), Buffer.from("connection")]);

for (const path of process.argv.slice(2)) {
  const component = readFileSync(path);
  let found = 0;
  for (let at = component.indexOf(CALL_TOOL); at !== -1; at = component.indexOf(CALL_TOOL, at + 1)) {
    component[at] = ASYNC;
    found += 1;
  }
  if (found === 0) throw new Error(`${path} has no call-tool that isn't async`);
  writeFileSync(path, component);
}
