// Reads the size of pictures out of their bytes, and leaves alone what is no PNG.
const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

function sizeOf(bytes: Uint8Array): { width: number; height: number } | null {
  if (!signature.every((byte, i) => bytes[i] === byte)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

const sizes: Record<string, { width: number; height: number } | null> = {};
for (const name of ["small.png", "wide.png", "fake.png"]) {
  const answer = await callTool("filesystem", "read_media_file", { path: `${args.root}/pictures/${name}` });
  const block = answer.content[0];
  sizes[name] = block?.type === "image" && block.mimeType === "image/png" ? sizeOf(block.data) : null;
}
return sizes;
