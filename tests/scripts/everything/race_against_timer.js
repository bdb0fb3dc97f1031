// Races a slow tool against a timer. A timer never overtakes a call here, so the tool wins; the host's deadline is what bounds it.
const timeout = (ms) => new Promise((_, reject) => setTimeout(() => reject(new Error(`no answer in ${ms} ms`)), ms));
const slow = tools.everything["trigger-long-running-operation"]({ duration: 0.2, steps: 1 });
const first = await Promise.race([slow, timeout(1)]).catch((error) => error.message);
return first.startsWith("Long running operation completed") ? "the tool" : first;
