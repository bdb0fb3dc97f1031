// Asks for each thing once, also when it is wanted several times at the same moment.
function memoise<A extends string, R>(work: (key: A) => Promise<R>): (key: A) => Promise<R> {
  const known = new Map<A, Promise<R>>();
  return (key) => {
    const promise = known.get(key) ?? work(key);
    known.set(key, promise);
    return promise;
  };
}

const echo = memoise(async (message: string) => (await tools.everything.echo({ message })) as string);
const words = "a rose is a rose is a rose".split(" ");
const heard = await Promise.all(words.map(echo));
return heard.map((text) => text.replace("Echo: ", "")).join(" ");
