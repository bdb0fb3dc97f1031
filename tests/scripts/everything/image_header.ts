// Looks into the picture that the server sends: its kind, its size, and its chunks.
const { content } = await callTool("everything", "get-tiny-image");
const image = content.find((block) => block.type === "image");
if (!image || image.type !== "image") throw new Error("no picture came");
const bytes = image.data;
const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const chunks: string[] = [];
for (let at = 8; at < bytes.length; ) {
  const length = view.getUint32(at);
  chunks.push(String.fromCharCode(...bytes.subarray(at + 4, at + 8)));
  at += 12 + length;
}
return {
  mimeType: image.mimeType,
  isPng: String.fromCharCode(...bytes.slice(1, 4)) === "PNG",
  size: [view.getUint32(16), view.getUint32(20)],
  ends: [chunks.at(0), chunks.at(-1)],
};
