// `setTimeout` and its kin, on the virtual clock: it moves only when nothing but timers is left to wait for.
(function (host, kit) {
  const asNumber = Number;
  // In the order in which they fire.
  const timers = kit.list();
  let lastId = 0;

  function insert(timer) {
    let at = timers.length;
    while (at > 0 && timers[at - 1].due > timer.due) at -= 1;
    kit.splice(timers, at, 0, timer);
  }

  function start(what, callback, delay, values, isInterval) {
    if (typeof callback !== "function") throw new kit.TypeError(`${what} takes a function, not ${kit.inspect(callback)}`);
    const number = asNumber(delay);
    // As browsers and Node.js do it: what is no delay is none. An interval always moves the clock.
    const wait = number > 0 && number <= 0x7fffffff ? number : 0;
    const every = isInterval ? (wait < 1 ? 1 : wait) : undefined;
    lastId += 1;
    insert({ __proto__: null, id: lastId, due: host.now() + (every ?? wait), every, callback, values });
    return lastId;
  }

  function clear(id) {
    for (let at = 0; at < timers.length; at++) {
      if (timers[at].id === id) {
        kit.splice(timers, at, 1);
        return;
      }
    }
  }

  kit.define("setTimeout", function setTimeout(callback, delay, ...values) {
    return start("setTimeout", callback, delay, values, false);
  });
  kit.define("setInterval", function setInterval(callback, delay, ...values) {
    return start("setInterval", callback, delay, values, true);
  });
  kit.define("clearTimeout", function clearTimeout(id) {
    clear(id);
  });
  kit.define("clearInterval", function clearInterval(id) {
    clear(id);
  });

  // Fires the next timer; false when there is none. A script that is done waits for its timeouts, not for its intervals.
  kit.fireTimer = function (isDone) {
    let at = 0;
    while (isDone && at < timers.length && timers[at].every !== undefined) at += 1;
    if (at === timers.length) return false;
    const timer = kit.splice(timers, at, 1)[0];
    const ahead = timer.due - host.now();
    if (ahead > 0) host.advance(ahead);
    if (timer.every !== undefined) {
      timer.due = host.now() + timer.every;
      insert(timer);
    }
    kit.apply(timer.callback, undefined, timer.values);
    return true;
  };
})
