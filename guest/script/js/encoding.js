// `TextEncoder` and `TextDecoder`, for UTF-8 alone, as the Encoding standard has them.
(function (host, kit) {
  const Bytes = Uint8Array;
  const viewBuffer = ArrayBuffer.isView;
  const setBytes = kit.free(Bytes.prototype.set);
  const subarray = kit.free(Bytes.prototype.subarray);
  const LABELS = /^(utf-?8|unicode-1-1-utf-8|unicode11utf8|unicode20utf8|x-unicode20utf8)$/i;

  class TextEncoder {
    get encoding() {
      return "utf-8";
    }

    encode(text = "") {
      return host.encode(`${text}`);
    }

    encodeInto(text, target) {
      const source = `${text}`;
      let read = 0;
      let written = 0;
      while (read < source.length) {
        const unit = kit.charCodeAt(source, read);
        const isPair = unit >= 0xd800 && unit < 0xdc00 && (kit.charCodeAt(source, read + 1) & 0xfc00) === 0xdc00;
        const bytes = host.encode(kit.slice(source, read, read + (isPair ? 2 : 1)));
        if (written + bytes.length > target.length) break;
        setBytes(target, bytes, written);
        read += isPair ? 2 : 1;
        written += bytes.length;
      }
      return { read, written };
    }
  }

  function bytesOf(input) {
    if (input === undefined) return new Bytes(0);
    return viewBuffer(input) ? new Bytes(input.buffer, input.byteOffset, input.byteLength) : new Bytes(input);
  }

  // How many bytes the sequence has that starts with this byte, and between which bounds its second one is; 0 for none.
  function lengthOf(lead) {
    if (lead < 0x80) return 1;
    if (lead >= 0xc2 && lead <= 0xdf) return 2;
    if (lead >= 0xe0 && lead <= 0xef) return 3;
    return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
  }

  function isContinuation(lead, offset, byte) {
    if (offset === 1) {
      if (lead === 0xe0) return byte >= 0xa0 && byte <= 0xbf;
      if (lead === 0xed) return byte >= 0x80 && byte <= 0x9f;
      if (lead === 0xf0) return byte >= 0x90 && byte <= 0xbf;
      if (lead === 0xf4) return byte >= 0x80 && byte <= 0x8f;
    }
    return byte >= 0x80 && byte <= 0xbf;
  }

  // From `at`: how many bytes belong together, and whether they are a character, wrong, or the start of one.
  function sequenceAt(bytes, at) {
    const lead = bytes[at];
    const length = lengthOf(lead);
    if (length === 0) return { length: 1, is: "wrong" };
    for (let offset = 1; offset < length; offset++) {
      if (at + offset >= bytes.length) return { length: offset, is: "cut" };
      if (!isContinuation(lead, offset, bytes[at + offset])) return { length: offset, is: "wrong" };
    }
    return { length, is: "right" };
  }

  class TextDecoder {
    #fatal;
    #ignoreBOM;
    #rest = new Bytes(0);
    #isAtStart = true;

    constructor(label = "utf-8", options = {}) {
      if (!kit.exec(LABELS, kit.trim(`${label}`))) throw new RangeError(`TextDecoder knows utf-8, not ${label}`);
      this.#fatal = Boolean(options.fatal);
      this.#ignoreBOM = Boolean(options.ignoreBOM);
    }

    get encoding() {
      return "utf-8";
    }

    get fatal() {
      return this.#fatal;
    }

    get ignoreBOM() {
      return this.#ignoreBOM;
    }

    decode(input, options = {}) {
      const isStream = Boolean(options.stream);
      const bytes = this.#joined(bytesOf(input));
      let text = "";
      let from = 0;
      let at = 0;
      this.#rest = new Bytes(0);
      while (at < bytes.length) {
        // ASCII, which is most of it, in one step.
        if (bytes[at] < 0x80) {
          at += 1;
          continue;
        }
        const { length, is } = sequenceAt(bytes, at);
        if (is === "right") {
          at += length;
          continue;
        }
        text += host.decode(subarray(bytes, from, at));
        if (is === "cut" && isStream) {
          this.#rest = new Bytes(subarray(bytes, at));
          from = at = bytes.length;
          break;
        }
        if (this.#fatal) throw new kit.TypeError("the bytes are not UTF-8");
        text += "\ufffd";
        at += length;
        from = at;
      }
      text += host.decode(subarray(bytes, from, at));
      if (this.#isAtStart && text.length > 0) {
        if (!this.#ignoreBOM && kit.charCodeAt(text, 0) === 0xfeff) text = kit.slice(text, 1);
        this.#isAtStart = false;
      }
      if (!isStream) this.#isAtStart = true;
      return text;
    }

    #joined(bytes) {
      if (this.#rest.length === 0) return bytes;
      const joined = new Bytes(this.#rest.length + bytes.length);
      setBytes(joined, this.#rest, 0);
      setBytes(joined, bytes, this.#rest.length);
      return joined;
    }
  }

  kit.define("TextEncoder", TextEncoder);
  kit.define("TextDecoder", TextDecoder);
})
