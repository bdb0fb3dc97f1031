// Gets a resource as bytes and as text, and takes the number out of both.
async function resource(resourceType: "Text" | "Blob", resourceId: number): Promise<string> {
  const { content } = await callTool("everything", "get-resource-reference", { resourceType, resourceId });
  for (const block of content) {
    if (block.type !== "resource") continue;
    const { text, blob } = block.resource;
    return text ?? new TextDecoder().decode(blob);
  }
  throw new TypeError("no resource came");
}

const read = [await resource("Text", 7), await resource("Blob", 8)];
return read.map((text) => text.match(/^Resource (?<id>\d+): This is a (?<what>\w+)/)?.groups).map((it) => ({ ...it }));
