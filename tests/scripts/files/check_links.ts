// Checks that what Markdown files link to is there. A module, whose result is what its function returns.
interface Args {
  folder: string;
}

interface Broken {
  file: string;
  target: string;
}

export default async function ({ folder }: Args): Promise<{ checked: number; broken: Broken[] }> {
  const found = await tools.files.search_files({ path: folder, pattern: "**/*.md" });
  const files = found.content.split("\n").map((path) => path.slice(path.lastIndexOf(`${folder}/`)));
  const broken: Broken[] = [];
  let checked = 0;
  for (const file of files.sort()) {
    const { content } = await tools.files.read_text_file({ path: file });
    for (const [, target] of content.matchAll(/\[[^\]]*\]\(([^)#]+)(?:#[^)]*)?\)/g)) {
      if (URL.canParse(target)) continue;
      checked += 1;
      const path = new URL(target, `file:///${file}`).pathname.slice(1);
      const exists = await tools.files.get_file_info({ path }).then(() => true, () => false);
      if (!exists) broken.push({ file, target });
    }
  }
  return { checked, broken };
}
