// Reads the heads of posts with a small parser of a class of its own, and makes an index by tag.
class Post {
  readonly #head: ReadonlyMap<string, string>;
  static #count = 0;

  constructor(text: string) {
    Post.#count += 1;
    const [, head = ""] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
    this.#head = new Map(head.split("\n").map((line) => line.split(/:\s*/, 2) as [string, string]));
  }

  static get count(): number {
    return Post.#count;
  }

  get title(): string {
    return this.#head.get("title") ?? "(untitled)";
  }

  get date(): Date {
    return new Date(this.#head.get("date") ?? NaN);
  }

  get tags(): string[] {
    return (this.#head.get("tags") ?? "").split(",").map((tag) => tag.trim()).filter(Boolean);
  }
}

const names = (await tools.files.list_directory({ path: "posts" })).content.split("\n").map((line) => line.slice(7));
const posts = await Promise.all(names.map(async (name) => new Post((await tools.files.read_text_file({ path: `posts/${name}` })).content)));
posts.sort((a, b) => b.date.getTime() - a.date.getTime());
const index: Record<string, string[]> = {};
for (const post of posts) for (const tag of post.tags) (index[tag] ??= []).push(post.title);
return { count: Post.count, newest: posts[0]?.title, years: [...new Set(posts.map((post) => post.date.getUTCFullYear()))], index };
