// Sends texts of all sorts there and back, and compares them unit by unit.
const texts = [
  "plain",
  "tab\tand\nnewline \"quoted\" \\ back",
  "grüße, 世界, שלום, مرحبا",
  "👩‍👩‍👧 flags 🇪🇺 and e\u0301",
  "nul \u0000 and \u001b[31mescape",
  "line \u2028 and \u2029 ends",
  "\u{10FFFF}\uFEFF\u202Eend",
  "<script>&amp;</script> ${not} {{filled}} %s",
  "",
];
const back = await Promise.all(texts.map((message) => tools.everything.echo({ message })));
const wrong = texts.filter((text, i) => back[i] !== `Echo: ${text}`);
const lone = "\uD800".toWellFormed();
return { wrong, letters: [...texts[3]].length, composed: texts[3].normalize("NFC").endsWith("é"), lone: lone === "\uFFFD" };
