// Writes to several places, of which the rules allow some.
const paths = ["out/a.md", "out/../a.md", "etc/b.md", "out/c.txt"];
const results: Record<string, string> = {};
for (const path of paths) {
  results[path] = await tools.files
    .write_file({ path, content: "x" })
    .then(() => "written")
    .catch((error: ToolError) => (error.reason === "denied" ? /"\/\w+" fails "\w+"/.exec(error.detail!)![0] : error.message));
}
return results;
