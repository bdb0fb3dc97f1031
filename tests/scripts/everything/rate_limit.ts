// Keeps to three calls in each second, by a bucket that fills with time. The clock is the run's own.
class Bucket {
  private tokens: number;
  private last = Date.now();

  private readonly size: number;

  constructor(size: number) {
    this.size = size;
    this.tokens = size;
  }

  async take(): Promise<void> {
    for (;;) {
      const now = Date.now();
      this.tokens = Math.min(this.size, this.tokens + ((now - this.last) / 1000) * this.size);
      this.last = now;
      if (this.tokens >= 1) {
        this.tokens -= 1;
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

const bucket = new Bucket(3);
const started = Date.now();
const at: number[] = [];
for (let n = 0; n < 9; n++) {
  await bucket.take();
  at.push(Date.now() - started);
  await tools.everything.echo({ message: `call ${n}` });
}
const inSecond = (second: number) => at.filter((ms) => Math.floor(ms / 1000) === second).length;
return { first: at.slice(0, 3), most: Math.max(...[1, 2].map(inSecond)), lasted: at[8] >= 2000 && at[8] < 2500 };
