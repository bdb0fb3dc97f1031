// Asks three mirrors at once and takes the first that answers. None does, which is one error of many.
const mirrors = ["a.txt", "b.txt", "c.txt"];
const { content } = await Promise.any(mirrors.map((path) => tools.files.read_text_file({ path: `mirror/${path}` })));
return content;
