// Reads files whose names come from elsewhere. One isn't there, and nothing catches that.
async function read(path) {
  const { content } = await tools.files.read_text_file({ path });
  return content.trim();
}

const texts = [];
for (const name of args) texts.push(await read(name));
return texts;
