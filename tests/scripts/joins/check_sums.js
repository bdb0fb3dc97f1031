// Adds up a column of a table by the other server's arithmetic, and compares with its own.
const { content } = await tools.files.read_text_file({ path: "amounts.csv" });
const amounts = content.trim().split(/\r?\n/).slice(1).map((line) => Number(line.split(";").at(-1)));
const add = async (sum, n) => Number((await tools.everything["get-sum"]({ a: await sum, b: n })).match(/is (.+)\.$/)[1]);
const theirs = await amounts.reduce(add, Promise.resolve(0));
const own = amounts.reduce((a, b) => a + b, 0);
return { theirs, same: Math.abs(theirs - own) < 1e-9, rows: amounts.length };
