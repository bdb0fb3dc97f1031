// Has the server compress a text and checks what came: the head, and the checksum and the length at the end.
const text = "to be or not to be ".repeat(40);
const data = `data:text/plain;base64,${btoa(text)}`;
const answer = await callTool("everything", "gzip-file-as-resource", { name: "hamlet.gz", data, outputType: "resource" });
const { blob, mimeType } = answer.content[0].resource;

let crc = 0xffffffff;
for (const byte of new TextEncoder().encode(text)) {
  crc ^= byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
}
const end = new DataView(blob.buffer, blob.byteOffset + blob.byteLength - 8);
return {
  mimeType,
  magic: Array.from(blob.subarray(0, 3), (byte) => byte.toString(16)),
  crc: end.getUint32(0, true) === (crc ^ 0xffffffff) >>> 0,
  length: end.getUint32(4, true),
  smaller: blob.byteLength < text.length / 5,
};
