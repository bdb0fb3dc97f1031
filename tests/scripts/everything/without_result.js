// Only has an effect and returns nothing, which is null.
const { output } = await callTool("everything", "echo", { message: `hello, ${args.name ?? "nobody"}` });
console.info("%s said %o", "everything", output);
if (args.name === undefined) console.warn("nobody was greeted");
