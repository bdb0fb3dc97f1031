// Which version comes next, by what the commits since the last release say.
class Version {
  static #form = /^v?(\d+)\.(\d+)\.(\d+)$/;

  constructor(major, minor, patch) {
    Object.assign(this, { major, minor, patch });
    Object.freeze(this);
  }

  static parse(text) {
    const match = Version.#form.exec(text);
    if (!match) throw new SyntaxError(`${text} is no version`);
    return new Version(...match.slice(1).map(Number));
  }

  bump(level) {
    switch (level) {
      case 2:
        return new Version(this.major + 1, 0, 0);
      case 1:
        return new Version(this.major, this.minor + 1, 0);
      default:
        return new Version(this.major, this.minor, this.patch + 1);
    }
  }

  toString() {
    return `v${this.major}.${this.minor}.${this.patch}`;
  }
}

const log = await tools.git.git_log({ repo_path: args.repo });
const since = new Date(args.since);
const messages = log
  .split(/^Commit: \w{40}$/m)
  .slice(1)
  .filter((block) => new Date(/^Date: (\S+) (\S+)$/m.exec(block).slice(1).join("T")) > since)
  .map((block) => block.slice(block.indexOf("Message: ") + 9).trim());
const level = (message) => (/^\w+(\([^)]*\))?!:|^BREAKING CHANGE:/m.test(message) ? 2 : message.startsWith("feat") ? 1 : 0);
const current = Version.parse(args.version);
return { commits: messages.length, next: `${current.bump(Math.max(...messages.map(level)))}`, frozen: Object.isFrozen(current) };
