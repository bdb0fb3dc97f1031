// `URLSearchParams` (URL standard, section 5), and percent encoding, which URLs use too.
(function (host, kit) {
  const upper = kit.free(String.prototype.toUpperCase);
  const toText = kit.free(Number.prototype.toString);
  const fromCode = String.fromCharCode;
  const asNumber = Number;
  const Bytes = Uint8Array;
  const decodeUtf8 = (bytes) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const TextDecoder = kit.global.TextDecoder;

  // Encodes all beyond ASCII, control characters, and what `isIn` picks of the rest.
  kit.percentEncode = function (text, isIn) {
    let encoded = "";
    for (let at = 0; at < text.length; at++) {
      const unit = kit.charCodeAt(text, at);
      if (unit > 0x1f && unit < 0x7f && !isIn(text[at])) {
        encoded += text[at];
        continue;
      }
      const isPair = unit >= 0xd800 && unit < 0xdc00 && (kit.charCodeAt(text, at + 1) & 0xfc00) === 0xdc00;
      const bytes = host.encode(kit.slice(text, at, at + (isPair ? 2 : 1)));
      for (let byte = 0; byte < bytes.length; byte++) {
        encoded += (bytes[byte] < 16 ? "%0" : "%") + upper(toText(bytes[byte], 16));
      }
      if (isPair) at += 1;
    }
    return encoded;
  };

  kit.percentDecode = function (text) {
    if (kit.indexOf(text, "%") < 0) return text;
    const bytes = host.encode(text);
    const decoded = new Bytes(bytes.length);
    let length = 0;
    for (let at = 0; at < bytes.length; at++) {
      const digits = bytes[at] === 0x25 && at + 2 < bytes.length ? fromCode(bytes[at + 1], bytes[at + 2]) : "";
      const isEncoded = kit.exec(/^[0-9a-fA-F]{2}$/, digits);
      decoded[length++] = isEncoded ? asNumber(`0x${digits}`) : bytes[at];
      if (isEncoded) at += 2;
    }
    return decodeUtf8(new Bytes(decoded.buffer, 0, length));
  };

  const isFormEncoded = (letter) => !kit.exec(/[A-Za-z0-9*\-._ ]/, letter);

  function formEncode(text) {
    return kit.join(kit.split(kit.percentEncode(text, isFormEncoded), " "), "+");
  }

  function formDecode(text) {
    return kit.percentDecode(kit.join(kit.split(text, "+"), " "));
  }

  function pairsOf(query) {
    const pairs = [];
    const parts = kit.split(query, "&");
    for (let at = 0; at < parts.length; at++) {
      if (parts[at] === "") continue;
      const equals = kit.indexOf(parts[at], "=");
      const name = equals < 0 ? parts[at] : kit.slice(parts[at], 0, equals);
      const value = equals < 0 ? "" : kit.slice(parts[at], equals + 1);
      kit.push(pairs, [formDecode(name), formDecode(value)]);
    }
    return pairs;
  }

  function pairsFrom(init) {
    const pairs = [];
    if (typeof init !== "object" || init === null) {
      const text = init === undefined ? "" : `${init}`;
      return pairsOf(text[0] === "?" ? kit.slice(text, 1) : text);
    }
    if (typeof init[Symbol.iterator] === "function") {
      for (const pair of init) {
        const [name, value, ...more] = pair;
        if (value === undefined || more.length > 0) throw new kit.TypeError("a pair is a name and a value");
        kit.push(pairs, [`${name}`, `${value}`]);
      }
      return pairs;
    }
    const names = kit.keysOf(init);
    for (let at = 0; at < names.length; at++) kit.push(pairs, [names[at], `${init[names[at]]}`]);
    return pairs;
  }

  class URLSearchParams {
    #pairs;
    // Told of every change, where the parameters are those of a URL.
    #changed = () => {};

    constructor(init) {
      this.#pairs = pairsFrom(init);
    }

    static linked(query, changed) {
      const params = new URLSearchParams(query);
      params.#changed = changed;
      return params;
    }

    static replace(params, query) {
      params.#pairs = pairsOf(query);
    }

    get size() {
      return this.#pairs.length;
    }

    append(name, value) {
      this.#pairs.push([`${name}`, `${value}`]);
      this.#changed(this.toString());
    }

    delete(name, value) {
      this.#pairs = this.#pairs.filter((pair) => pair[0] !== `${name}` || (value !== undefined && pair[1] !== `${value}`));
      this.#changed(this.toString());
    }

    get(name) {
      return this.#pairs.find((pair) => pair[0] === `${name}`)?.[1] ?? null;
    }

    getAll(name) {
      return this.#pairs.filter((pair) => pair[0] === `${name}`).map((pair) => pair[1]);
    }

    has(name, value) {
      return this.#pairs.some((pair) => pair[0] === `${name}` && (value === undefined || pair[1] === `${value}`));
    }

    set(name, value) {
      const first = this.#pairs.find((pair) => pair[0] === `${name}`);
      if (first === undefined) return this.append(name, value);
      first[1] = `${value}`;
      this.#pairs = this.#pairs.filter((pair) => pair === first || pair[0] !== `${name}`);
      this.#changed(this.toString());
    }

    sort() {
      this.#pairs.sort((one, other) => (one[0] < other[0] ? -1 : one[0] > other[0] ? 1 : 0));
      this.#changed(this.toString());
    }

    forEach(callback, receiver) {
      for (const [name, value] of this) callback.call(receiver, value, name, this);
    }

    *entries() {
      for (let at = 0; at < this.#pairs.length; at++) yield [this.#pairs[at][0], this.#pairs[at][1]];
    }

    *keys() {
      for (const [name] of this) yield name;
    }

    *values() {
      for (const [, value] of this) yield value;
    }

    [Symbol.iterator]() {
      return this.entries();
    }

    toString() {
      return this.#pairs.map((pair) => `${formEncode(pair[0])}=${formEncode(pair[1])}`).join("&");
    }
  }

  kit.linkedParams = URLSearchParams.linked;
  kit.replaceParams = URLSearchParams.replace;
  delete URLSearchParams.linked;
  delete URLSearchParams.replace;
  kit.define("URLSearchParams", URLSearchParams);
})
