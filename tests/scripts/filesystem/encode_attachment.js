// Puts a text of any characters into base64, in lines of 20, and gets it back out of the file that it wrote.
const { content: text } = await tools.filesystem.read_text_file({ path: `${args.root}/letters/b.txt` });
const binary = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
const encoded = btoa(binary).replace(/.{20}/g, "$&\n");
await tools.filesystem.write_file({ path: `${args.root}/out/b.b64`, content: encoded });

const back = (await tools.filesystem.read_text_file({ path: `${args.root}/out/b.b64` })).content;
const bytes = Uint8Array.from(atob(back.replaceAll("\n", "")), (c) => c.charCodeAt(0));
return { lines: encoded.split("\n").length, same: new TextDecoder("utf-8", { fatal: true }).decode(bytes) === text };
