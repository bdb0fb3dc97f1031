// Merges settings over each other, objects deeply and everything else whole, and writes the outcome.
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const merge = (base, over) =>
  isObject(base) && isObject(over)
    ? Object.keys({ ...base, ...over }).reduce(
        (all, key) => ({ ...all, [key]: key in over ? merge(base[key], over[key]) : base[key] }),
        {},
      )
    : over;

const read = async (name) => JSON.parse((await tools.files.read_text_file({ path: `settings/${name}.json` })).content);
const layers = await Promise.all(["base", "production", "local"].map(read));
const merged = layers.reduce(merge);
await tools.files.write_file({ path: "out/settings.json", content: JSON.stringify(merged) });
return merged;
