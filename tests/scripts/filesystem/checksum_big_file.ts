// Reads a file of two megabytes and makes the sum of its bytes that zip files use.
const table = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});

function crc32(bytes: Uint8Array): string {
  let crc = ~0;
  for (const byte of bytes) crc = table[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
  return (~crc >>> 0).toString(16).padStart(8, "0");
}

const { content } = await tools.filesystem.read_text_file({ path: `${args.root}/sizes/big.txt` });
const bytes = new TextEncoder().encode(content);
return { bytes: bytes.length, lines: content.split("\n").length - 1, crc: crc32(bytes) };
