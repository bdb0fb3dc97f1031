// Sends more than one call may carry, and then the same in pieces.
const text = "0123456789".repeat(500);
const parts = [];
try {
  await tools.everything.echo({ message: text });
  parts.push(text);
} catch ({ kind, reason }) {
  if (kind !== "refused" || reason !== "limit-reached") throw new Error(`another error: ${kind} ${reason}`);
  for (let at = 0; at < text.length; at += 1000) parts.push(await tools.everything.echo({ message: text.slice(at, at + 1000) }));
}
return { parts: parts.length, same: parts.map((part) => part.slice("Echo: ".length)).join("") === text };
