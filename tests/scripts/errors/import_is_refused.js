// Imports something, which a script can't.
import { readFile } from "node:fs/promises";

export default await readFile("note.txt", "utf8");
