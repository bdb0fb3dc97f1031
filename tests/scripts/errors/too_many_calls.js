// Makes more calls than it may, and nothing catches what then ends it: a limit is no error of the script.
let made = 0;
try {
  for (;;) {
    await tools.files.list_directory({ path: "." });
    made += 1;
  }
} catch {
  return made;
}
