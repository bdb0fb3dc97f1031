// Makes calls of which some are wrong, and tells apart what came of them, without one spoiling the others.
const wanted = [
  ["get-sum", { a: 1, b: 2 }],
  ["get-sum", { a: "one", b: 2 }],
  ["echo", { message: "fine" }],
  ["get-resource-reference", { resourceType: "Text", resourceId: -1 }],
];
const settled = await Promise.allSettled(wanted.map(([tool, input]) => tools.everything[tool](input)));
const [good, bad] = [[], []];
settled.forEach(({ status, value, reason }, i) => {
  if (status === "fulfilled") good.push(value);
  else bad.push({ tool: wanted[i][0], kind: reason.kind, says: /not of type "\w+"|Invalid \w+/.exec(reason.output ?? reason.detail)?.[0] });
});
return { good, bad };
