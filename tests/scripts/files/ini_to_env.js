// Turns an INI file into lines for an environment: SECTION_KEY=value, with quotes where they are needed.
const { content: ini } = await tools.files.read_text_file({ path: "settings/app.ini" });
const lines = [];
let section = "";
for (const raw of ini.split(/\r?\n/)) {
  const line = raw.trim();
  switch (true) {
    case line === "" || line.startsWith(";") || line.startsWith("#"):
      continue;
    case /^\[.*\]$/.test(line):
      section = line.slice(1, -1);
      break;
    default: {
      const [key, ...rest] = line.split("=");
      const value = rest.join("=").trim();
      const name = [section, key.trim()].filter((part) => part).join("_").toUpperCase().replace(/\W/g, "_");
      lines.push(`${name}=${/[\s"$]/.test(value) ? JSON.stringify(value) : value}`);
    }
  }
}
return lines;
