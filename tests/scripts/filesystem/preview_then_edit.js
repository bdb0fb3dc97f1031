// Looks at an edit before it is made, makes it only if it touches the lines that it should, and tells of one that can't be made.
const path = `${args.root}/config/server.conf`;
const edits = [{ oldText: "port = 80", newText: "port = 8080" }];
const preview = await tools.filesystem.edit_file({ path, edits, dryRun: true });
const changed = preview.content.split("\n").filter((line) => /^[-+][^-+]/.test(line));
if (changed.length !== 2) throw new Error(`the edit touches ${changed.length} lines`);
const before = (await tools.filesystem.read_text_file({ path })).content;
await tools.filesystem.edit_file({ path, edits });
const after = (await tools.filesystem.read_text_file({ path })).content;

const again = await callTool("filesystem", "edit_file", { path, edits: [{ oldText: "no such line", newText: "" }] });
return { changed, stayed: before.includes("port = 80\n"), done: after.includes("port = 8080\n"), again: [again.outcome, again.output.split("\n")[0]] };
