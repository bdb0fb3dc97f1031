// Sends values through stages, each an async generator of its own, two of which call tools.
const pipe = (source, ...stages) => stages.reduce((stream, stage) => stage(stream), source);

async function* numbers(to) {
  for (let n = 1; n <= to; n++) yield n;
}
const keep = (test) => async function* (stream) {
  for await (const value of stream) if (test(value)) yield value;
};
const through = (work) => async function* (stream) {
  for await (const value of stream) yield await work(value);
};
const take = (count) => async function* (stream) {
  if (count === 0) return;
  for await (const value of stream) {
    yield value;
    if (--count === 0) return;
  }
};

const doubled = through(async (n) => parseInt((await tools.everything["get-sum"]({ a: n, b: n })).split(" is ")[1]));
const said = through((n) => tools.everything.echo({ message: `number ${n}` }));
const results = [];
for await (const text of pipe(numbers(1000), keep((n) => n % 7 === 0), doubled, said, take(3))) results.push(text);
return results;
