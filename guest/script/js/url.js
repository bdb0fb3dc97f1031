// `URL` (URL standard, section 4). Drive letters of `file:` have no rules of their own here.
(function (host, kit) {
  const PORTS = { __proto__: null, "http:": 80, "https:": 443, "ws:": 80, "wss:": 443, "ftp:": 21, "file:": null };
  const lower = kit.free(String.prototype.toLowerCase);
  const replace = (text, pattern, by) => kit.join(kit.free(String.prototype.split)(text, pattern), by);
  const asNumber = Number;
  const inFragment = (letter) => kit.indexOf(' "<>`', letter) >= 0;
  const inQuery = (letter) => kit.indexOf(' "#<>', letter) >= 0;
  const inSpecialQuery = (letter) => inQuery(letter) || letter === "'";
  const inPath = (letter) => kit.indexOf(' "#<>?^`{}', letter) >= 0;
  const inUser = (letter) => inPath(letter) || kit.indexOf("/:;=@[\\]|", letter) >= 0;
  const inNothing = () => false;

  const isSpecial = (record) => record.scheme in PORTS;

  function fail(text) {
    throw new kit.TypeError(`Invalid URL: ${text}`);
  }

  // Splits at the first of these letters: what is before it, and what is from it on.
  function cut(text, letters) {
    for (let at = 0; at < text.length; at++) {
      if (kit.indexOf(letters, text[at]) >= 0) return { before: kit.slice(text, 0, at), from: kit.slice(text, at) };
    }
    return { before: text, from: "" };
  }

  function readPort(record, text) {
    if (text === "") {
      record.port = null;
      return;
    }
    const port = asNumber(text);
    if (!kit.exec(/^[0-9]+$/, text) || port > 65535) fail(`the port ${text}`);
    record.port = port === PORTS[record.scheme] ? null : port;
  }

  function readHost(record, text) {
    if (text === "" && (!isSpecial(record) || record.scheme === "file:")) {
      record.host = "";
      return;
    }
    if (text === "") fail("it has no host");
    const encode = (name) => kit.percentEncode(name, inNothing);
    record.host = kit.parseHost(text, isSpecial(record), kit.percentDecode, encode);
    if (record.scheme === "file:" && record.host === "localhost") record.host = "";
  }

  function readHostAndPort(record, text) {
    const bracket = kit.lastIndexOf(text, "]");
    const colon = kit.indexOf(text, ":", bracket < 0 ? 0 : bracket);
    if (colon >= 0 && record.scheme === "file:") fail("a file has no port");
    readHost(record, colon < 0 ? text : kit.slice(text, 0, colon));
    readPort(record, colon < 0 ? "" : kit.slice(text, colon + 1));
  }

  function readAuthority(record, text) {
    const at = kit.lastIndexOf(text, "@");
    if (at >= 0) {
      const { before, from } = cut(kit.slice(text, 0, at), ":");
      record.username = kit.percentEncode(before, inUser);
      record.password = kit.percentEncode(kit.slice(from, 1), inUser);
    }
    readHostAndPort(record, kit.slice(text, at + 1));
  }

  function readPath(record, text, before) {
    const path = before;
    const slashed = isSpecial(record) ? replace(text, "\\", "/") : text;
    const segments = kit.split(slashed[0] === "/" ? kit.slice(slashed, 1) : slashed, "/");
    for (let at = 0; at < segments.length; at++) {
      const isLast = at === segments.length - 1;
      const plain = replace(lower(segments[at]), "%2e", ".");
      if (plain === "..") kit.splice(path, path.length - 1, 1);
      else if (plain !== ".") kit.push(path, kit.percentEncode(segments[at], inPath));
      if (isLast && (plain === "." || plain === "..")) kit.push(path, "");
    }
    record.path = path;
  }

  function readQuery(record, text) {
    record.query = text === "" ? null : kit.percentEncode(kit.slice(text, 1), isSpecial(record) ? inSpecialQuery : inQuery);
  }

  function isSlash(record, letter) {
    return letter === "/" || (isSpecial(record) && letter === "\\");
  }

  // From two slashes on: authority and path.
  function readAbsolute(record, text) {
    const { before, from } = cut(text, isSpecial(record) ? "/\\" : "/");
    readAuthority(record, before);
    if (from !== "" || isSpecial(record)) readPath(record, from, []);
  }

  function inherit(record, base) {
    record.username = base.username;
    record.password = base.password;
    record.host = base.host;
    record.port = base.port;
  }

  function readRelative(record, text, query, base) {
    if (isSlash(record, text[0]) && isSlash(record, text[1])) return readAbsolute(record, kit.slice(text, 2));
    inherit(record, base);
    if (isSlash(record, text[0])) return readPath(record, text, []);
    const path = [];
    const keep = text === "" ? base.path.length : base.path.length - 1;
    for (let at = 0; at < keep; at++) kit.push(path, base.path[at]);
    if (text !== "") return readPath(record, text, path);
    record.path = path;
    if (query === "") record.query = base.query;
  }

  function readWithScheme(record, text, query, base) {
    if (isSpecial(record)) {
      if (base && base.scheme === record.scheme && !isSlash(record, text[0])) return readRelative(record, text, query, base);
      let from = 0;
      if (record.scheme === "file:") from = isSlash(record, text[0]) && isSlash(record, text[1]) ? 2 : 0;
      else while (isSlash(record, text[from])) from += 1;
      if (from > 0 || record.scheme !== "file:") return readAbsolute(record, kit.slice(text, from));
      record.host = "";
      return readPath(record, text, []);
    }
    if (kit.startsWith(text, "//")) return readAbsolute(record, kit.slice(text, 2));
    if (text[0] === "/") return readPath(record, text, []);
    record.path = kit.percentEncode(text, inNothing);
  }

  function parse(input, base) {
    const text = kit.join(kit.free(String.prototype.split)(kit.exec(/^[\0- ]*([^]*?)[\0- ]*$/, input)[1], /[\t\n\r]/), "");
    const { before: rest, from: hash } = cut(text, "#");
    const scheme = kit.exec(/^[A-Za-z][A-Za-z0-9+\-.]*:/, rest);
    const record = { __proto__: null, scheme: "", username: "", password: "", host: null, port: null, path: [], query: null };
    record.fragment = hash === "" ? null : kit.percentEncode(kit.slice(hash, 1), inFragment);
    record.scheme = scheme ? lower(scheme[0]) : base?.scheme;
    if (record.scheme === undefined) fail(`${text} is relative, and there is no base`);
    const { before, from: query } = cut(scheme ? kit.slice(rest, scheme[0].length) : rest, "?");
    readQuery(record, query);
    if (scheme) {
      readWithScheme(record, before, query, base);
    } else if (typeof base.path !== "string") {
      readRelative(record, before, query, base);
    } else {
      if (rest !== "" || hash === "") fail(`${text} is relative, and its base has no path`);
      record.path = base.path;
      record.query = base.query;
    }
    return record;
  }

  const pathText = (record) =>
    typeof record.path === "string" ? record.path : record.path.length > 0 ? `/${kit.join(record.path, "/")}` : "";

  const hostText = (record) => (record.host === null ? "" : record.port === null ? record.host : `${record.host}:${record.port}`);

  function hrefOf(record) {
    let text = record.scheme;
    if (record.host !== null) {
      text += "//";
      if (record.username !== "" || record.password !== "") {
        text += record.username + (record.password === "" ? "" : `:${record.password}`) + "@";
      }
      text += hostText(record);
    } else if (typeof record.path !== "string" && record.path.length > 1 && record.path[0] === "") {
      text += "/.";
    }
    text += pathText(record);
    if (record.query !== null) text += `?${record.query}`;
    return record.fragment === null ? text : `${text}#${record.fragment}`;
  }

  class URL {
    #record;
    #params;

    constructor(url, base) {
      this.#record = parse(`${url}`, base === undefined ? undefined : parse(`${base}`));
      this.#link();
    }

    #link() {
      this.#params = kit.linkedParams(this.#record.query ?? "", (query) => {
        this.#record.query = query === "" ? null : query;
      });
    }

    static canParse(url, base) {
      return URL.parse(url, base) !== null;
    }

    static parse(url, base) {
      try {
        return new URL(url, base);
      } catch {
        return null;
      }
    }

    // A setter that is given nonsense changes nothing, as the standard has it.
    #change(work) {
      const changed = { __proto__: null, ...this.#record };
      try {
        work(changed);
        this.#record = changed;
      } catch {
        return;
      }
    }

    get href() {
      return hrefOf(this.#record);
    }

    set href(url) {
      this.#record = parse(`${url}`);
      kit.replaceParams(this.#params, this.#record.query ?? "");
    }

    get origin() {
      const record = this.#record;
      return isSpecial(record) && record.scheme !== "file:" ? `${record.scheme}//${hostText(record)}` : "null";
    }

    get protocol() {
      return this.#record.scheme;
    }

    set protocol(value) {
      const found = kit.exec(/^[A-Za-z][A-Za-z0-9+\-.]*(?=:|$)/, `${value}`);
      if (!found) return;
      const scheme = `${lower(found[0])}:`;
      if (scheme in PORTS !== isSpecial(this.#record) || scheme === "file:" || this.#record.scheme === "file:") return;
      this.#record.scheme = scheme;
      if (this.#record.port === PORTS[scheme]) this.#record.port = null;
    }

    get username() {
      return this.#record.username;
    }

    set username(value) {
      if (this.#record.host) this.#record.username = kit.percentEncode(`${value}`, inUser);
    }

    get password() {
      return this.#record.password;
    }

    set password(value) {
      if (this.#record.host) this.#record.password = kit.percentEncode(`${value}`, inUser);
    }

    get host() {
      return hostText(this.#record);
    }

    set host(value) {
      const text = cut(`${value}`, "/\\?#").before;
      if (typeof this.#record.path === "string") return;
      this.#change((record) => {
        const { port } = record;
        readHostAndPort(record, text);
        if (kit.indexOf(text, ":", kit.lastIndexOf(text, "]") + 1) < 0) record.port = port;
      });
    }

    get hostname() {
      return this.#record.host ?? "";
    }

    set hostname(value) {
      if (typeof this.#record.path !== "string") this.#change((record) => readHost(record, cut(`${value}`, "/\\?#:").before));
    }

    get port() {
      return this.#record.port === null ? "" : `${this.#record.port}`;
    }

    set port(value) {
      const digits = kit.exec(/^[0-9]*/, `${value}`)[0];
      if (!this.#record.host || this.#record.scheme === "file:" || (digits === "" && `${value}` !== "")) return;
      this.#change((record) => readPort(record, digits));
    }

    get pathname() {
      return pathText(this.#record);
    }

    set pathname(value) {
      if (typeof this.#record.path !== "string") this.#change((record) => readPath(record, `${value}`, []));
    }

    get search() {
      return this.#record.query ? `?${this.#record.query}` : "";
    }

    set search(value) {
      const text = `${value}`;
      readQuery(this.#record, text === "" || text[0] === "?" ? text : `?${text}`);
      kit.replaceParams(this.#params, this.#record.query ?? "");
    }

    get searchParams() {
      return this.#params;
    }

    get hash() {
      return this.#record.fragment ? `#${this.#record.fragment}` : "";
    }

    set hash(value) {
      const text = `${value}`;
      if (text === "") this.#record.fragment = null;
      else this.#record.fragment = kit.percentEncode(text[0] === "#" ? kit.slice(text, 1) : text, inFragment);
    }

    toString() {
      return this.href;
    }

    toJSON() {
      return this.href;
    }
  }

  kit.define("URL", URL);
})
