// Takes a lock, fails at its work, and gives the lock back all the same; the failure is that of the work.
await tools.files.write_file({ path: "lock.txt", content: "taken" });
try {
  const { content } = await tools.files.read_text_file({ path: "note.txt" });
  if (!content.startsWith("{")) JSON.parse(content);
  return "parsed";
} finally {
  await tools.files.write_file({ path: "lock.txt", content: "free" });
  console.log("the lock is free");
}
