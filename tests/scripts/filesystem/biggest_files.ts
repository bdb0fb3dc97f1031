// The largest files of a folder, from a listing that is made for people to read.
interface Sized {
  name: string;
  bytes: number;
}

const units: Record<string, number> = { B: 1, KB: 1024, MB: 1024 ** 2 };
const { content } = await tools.filesystem.list_directory_with_sizes({ path: `${args.root}/sizes`, sortBy: "size" });
const files = content.split("\n").flatMap((line): Sized[] => {
  const match = line.match(/^\[FILE\] (\S+)\s+([\d.]+) (B|KB|MB)$/);
  return match ? [{ name: match[1], bytes: Math.round(Number(match[2]) * units[match[3]]) }] : [];
});
const total = files.reduce((sum, file) => sum + file.bytes, 0);
return files.slice(0, 2).map(({ name, bytes }) => `${name} ${bytes} (${Math.round((bytes / total) * 100)}%)`);
