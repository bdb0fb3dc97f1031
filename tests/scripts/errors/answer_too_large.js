// Reads a file that is larger than an answer may be, learns that, and reads it in pieces that are small enough.
const path = "big.txt";
try {
  return (await tools.files.read_text_file({ path })).content.length;
} catch (error) {
  if (!error.outcomeUnknown || error.cause !== "too-large") throw error;
}
const heads = await Promise.all([10, 100].map((head) => tools.files.read_text_file({ path, head })));
return heads.map(({ content }) => content.split("\n").length);
