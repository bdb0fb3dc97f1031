// The host of a URL: names, addresses, and names beyond ASCII (URL standard, section 3; RFC 3492).
//
// Of the mapping of international names only lower case and composition are done here.
(function (host, kit) {
  const FORBIDDEN = /[\u0000-\u0020#/:<>?@[\\\]^|%\u007f]/;
  const FORBIDDEN_OPAQUE = /[\u0000\t\n\r #/:<>?@[\\\]^|]/;
  const lower = kit.free(String.prototype.toLowerCase);
  const normalise = kit.free(String.prototype.normalize);
  const codePointAt = kit.free(String.prototype.codePointAt);
  const toText = kit.free(Number.prototype.toString);
  const fromCode = String.fromCharCode;
  const floor = Math.floor;
  const asNumber = Number;

  function fail(text) {
    throw new kit.TypeError(`Invalid URL: the host ${text}`);
  }

  function adapted(delta, count, isFirst) {
    let rest = isFirst ? floor(delta / 700) : floor(delta / 2);
    rest += floor(rest / count);
    let bias = 0;
    for (; rest > 455; bias += 36) rest = floor(rest / 35);
    return bias + floor((36 * rest) / (rest + 38));
  }

  function digitOf(value) {
    return fromCode(value < 26 ? value + 97 : value + 22);
  }

  function variableLength(delta, bias) {
    let text = "";
    let rest = delta;
    for (let at = 36; ; at += 36) {
      const threshold = at <= bias ? 1 : at >= bias + 26 ? 26 : at - bias;
      if (rest < threshold) return text + digitOf(rest);
      text += digitOf(threshold + ((rest - threshold) % (36 - threshold)));
      rest = floor((rest - threshold) / (36 - threshold));
    }
  }

  function punycode(label) {
    const points = [];
    let text = "";
    for (let at = 0; at < label.length; at++) {
      const point = codePointAt(label, at);
      if (point > 0xffff) at += 1;
      kit.push(points, point);
      if (point < 128) text += fromCode(point);
    }
    const basic = text.length;
    let handled = basic;
    let next = 128;
    let delta = 0;
    let bias = 72;
    if (basic > 0) text += "-";
    while (handled < points.length) {
      let smallest = 0x7fffffff;
      for (let at = 0; at < points.length; at++) if (points[at] >= next && points[at] < smallest) smallest = points[at];
      delta += (smallest - next) * (handled + 1);
      next = smallest;
      for (let at = 0; at < points.length; at++) {
        if (points[at] < next) delta += 1;
        if (points[at] !== next) continue;
        text += variableLength(delta, bias);
        bias = adapted(delta, handled + 1, handled === basic);
        delta = 0;
        handled += 1;
      }
      delta += 1;
      next += 1;
    }
    return `xn--${text}`;
  }

  function asciiName(name) {
    const labels = kit.split(normalise(lower(name), "NFC"), ".");
    for (let at = 0; at < labels.length; at++) if (kit.exec(/[^\u0000-\u007f]/, labels[at])) labels[at] = punycode(labels[at]);
    return kit.join(labels, ".");
  }

  // One part of an IPv4 address: decimal, octal or hexadecimal; NaN where it is none.
  function partOf(text) {
    if (kit.exec(/^0[xX][0-9a-fA-F]*$/, text)) return text.length === 2 ? 0 : asNumber(text);
    if (kit.exec(/^0[0-7]+$/, text)) return asNumber(`0o${text}`);
    return kit.exec(/^[0-9]+$/, text) ? asNumber(text) : NaN;
  }

  function ipv4(name) {
    const parts = kit.split(name, ".");
    if (parts.length > 1 && parts[parts.length - 1] === "") parts.length -= 1;
    const last = parts[parts.length - 1];
    if (!kit.exec(/^([0-9]+|0[xX][0-9a-fA-F]*)$/, last)) return undefined;
    if (parts.length > 4) fail(`${name} is no IPv4 address`);
    let address = 0;
    for (let at = 0; at < parts.length; at++) {
      const part = partOf(parts[at]);
      const isLast = at === parts.length - 1;
      const room = isLast ? 256 ** (5 - parts.length) : 256;
      if (!(part < room)) fail(`${name} is no IPv4 address`);
      address += isLast ? part : part * 256 ** (3 - at);
    }
    return `${floor(address / 2 ** 24)}.${floor(address / 2 ** 16) % 256}.${floor(address / 256) % 256}.${address % 256}`;
  }

  function piecesOf(text, whole) {
    if (text === "") return [];
    const parts = kit.split(text, ":");
    const pieces = [];
    for (let at = 0; at < parts.length; at++) {
      const dotted = at === parts.length - 1 && kit.exec(/^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, parts[at]);
      if (dotted) {
        for (let byte = 1; byte < 5; byte++) {
          if (asNumber(dotted[byte]) > 255 || (dotted[byte].length > 1 && dotted[byte][0] === "0")) fail(`${whole} is no IPv6 address`);
        }
        kit.push(pieces, asNumber(dotted[1]) * 256 + asNumber(dotted[2]), asNumber(dotted[3]) * 256 + asNumber(dotted[4]));
      } else {
        if (!kit.exec(/^[0-9a-fA-F]{1,4}$/, parts[at])) fail(`${whole} is no IPv6 address`);
        kit.push(pieces, asNumber(`0x${parts[at]}`));
      }
    }
    return pieces;
  }

  function ipv6(text) {
    const gap = kit.indexOf(text, "::");
    const head = piecesOf(gap < 0 ? text : kit.slice(text, 0, gap), text);
    const tail = gap < 0 ? [] : piecesOf(kit.slice(text, gap + 2), text);
    const missing = 8 - head.length - tail.length;
    if (gap < 0 ? missing !== 0 : missing < 1) fail(`${text} is no IPv6 address`);
    const pieces = head;
    for (let at = 0; at < missing; at++) kit.push(pieces, 0);
    for (let at = 0; at < tail.length; at++) kit.push(pieces, tail[at]);
    return compressed(pieces);
  }

  // The first of the longest runs of zeros becomes a double colon.
  function compressed(pieces) {
    let best = { from: -1, length: 1 };
    for (let at = 0; at < 8; at++) {
      let end = at;
      while (end < 8 && pieces[end] === 0) end += 1;
      if (end - at > best.length) best = { from: at, length: end - at };
      if (end > at) at = end;
    }
    let text = "";
    for (let at = 0; at < 8; at++) {
      if (at === best.from) {
        text += at === 0 ? "::" : ":";
        at += best.length - 1;
        continue;
      }
      text += toText(pieces[at], 16) + (at < 7 ? ":" : "");
    }
    return `[${text}]`;
  }

  // The host as a URL has it. `decode` undoes percent encoding, `encode` does it for schemes that are not special.
  kit.parseHost = function (text, isSpecial, decode, encode) {
    if (text[0] === "[") {
      if (text[text.length - 1] !== "]") fail(`${text} has no closing bracket`);
      return ipv6(kit.slice(text, 1, -1));
    }
    if (!isSpecial) {
      if (kit.exec(FORBIDDEN_OPAQUE, text)) fail(`${text} has a character that no host has`);
      return encode(text);
    }
    const name = asciiName(decode(text));
    if (name === "" || kit.exec(FORBIDDEN, name)) fail(`${text} has a character that no host has`);
    return ipv4(name) ?? name;
  };
})
