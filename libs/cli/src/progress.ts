import type { SingleBar } from 'cli-progress';
import type { TextStream } from './terminal.ts';

/** Shows how far a run is. */
export interface Progress {
  /** Sets how many files there are, and shows the bar. A run that looks again starts again. */
  start(total: number): void;
  done(files: number): void;
  /** Says that the run waits for the write limit, for how long, and how many writes a minute the limit allows. */
  waiting(seconds: number, writesPerMinute?: number): void;
  stop(): void;
}

const silent: Progress = {
  start: () => undefined,
  done: () => undefined,
  waiting: () => undefined,
  stop: () => undefined,
};

/** No bar for what ends before one can read it. */
const fewestFiles = 5;
/** Lines of progress where there is no terminal: a log should not grow with the folder. */
const maxLines = 10;
const millisecondsInSecond = 1000;

interface ProgressOptions {
  quiet: boolean;
  verb: string;
  now(): Date;
}

/**
 * Makes a progress bar with files done, rate and time left, on a terminal. Elsewhere waits are told in a few lines; with
 * `quiet` nothing is. The first wait says how to get a higher limit.
 */
export async function createProgress(stream: TextStream, options: ProgressOptions): Promise<Progress> {
  if (options.quiet) return silent;
  if (!stream.isTTY) return new RunProgress(stream, options, undefined);
  // Of a CommonJS module a bundle has the default export only.
  const { default: bars } = await import('cli-progress');
  const format = `${options.verb} {bar} {value}/{total} files, {rate}/s, {left} left{note}`;
  const bar = new bars.SingleBar({ stream, format, clearOnComplete: true, hideCursor: true });
  return new RunProgress(stream, options, bar);
}

class RunProgress implements Progress {
  readonly #stream: TextStream;
  readonly #options: ProgressOptions;
  /** Undefined where there is no terminal. */
  readonly #bar: SingleBar | undefined;
  #isShown = false;
  #startedAt = 0;
  #finished = 0;
  #total = 0;
  /** Whether the way to a higher limit was told. */
  #toldLimit = false;
  /** Tenths of the files after which a line was written. */
  #toldTenths = 0;
  #countdown: NodeJS.Timeout | undefined;

  constructor(stream: TextStream, options: ProgressOptions, bar: SingleBar | undefined) {
    this.#stream = stream;
    this.#options = options;
    this.#bar = bar;
  }

  start(total: number): void {
    this.stop();
    this.#total = total;
    this.#finished = 0;
    this.#startedAt = this.#nowMs();
    this.#showBar();
  }

  done(files: number): void {
    clearInterval(this.#countdown);
    this.#finished = files;
    this.#draw('');
  }

  waiting(seconds: number, writesPerMinute?: number): void {
    const others = this.#total - this.#finished;
    const left = writesPerMinute === undefined ? undefined : limitedSeconds(others, seconds, writesPerMinute);
    this.#tellWait(seconds, left, writesPerMinute);
    const until = this.#nowMs() + seconds * millisecondsInSecond;
    const tick = () => {
      const rest = Math.max(0, Math.ceil((until - this.#nowMs()) / millisecondsInSecond));
      this.#draw(
        `, waiting ${rest} s for the write limit of the key`,
        left === undefined ? undefined : left - seconds + rest,
      );
    };
    tick();
    if (this.#isShown) this.#countdown = setInterval(tick, millisecondsInSecond).unref();
  }

  stop(): void {
    clearInterval(this.#countdown);
    if (this.#isShown) this.#bar?.stop();
    this.#isShown = false;
  }

  #showBar(): void {
    if (this.#bar === undefined || this.#total < fewestFiles) return;
    this.#isShown = true;
    this.#bar.start(this.#total, this.#finished, { ...this.#figures(), note: '' });
  }

  #draw(note: string, left?: number): void {
    if (this.#isShown) this.#bar?.update(this.#finished, { ...this.#figures(left), note });
  }

  /**
   * The first wait is told in a line of its own, with the way to a higher limit if one minute is not enough; where there is no
   * bar, some later ones in another.
   */
  #tellWait(seconds: number, left: number | undefined, writesPerMinute: number | undefined): void {
    const tenths = Math.floor((this.#finished * maxLines) / Math.max(1, this.#total));
    if (!this.#toldLimit) {
      this.#toldLimit = true;
      const outlook = this.#outlook(seconds, left, writesPerMinute);
      this.#write(`the write limit of the key is reached, ${outlook}`);
    } else if (!this.#isShown && tenths > this.#toldTenths) {
      this.#write(`${this.#counts()}, about ${durationText(left ?? seconds)} left`);
    }
    this.#toldTenths = Math.max(this.#toldTenths, tenths);
  }

  #outlook(seconds: number, left: number | undefined, writesPerMinute: number | undefined): string {
    if (left === undefined || left <= seconds) return `continuing in ${seconds} s`;
    const pace = `${writesPerMinute} items a minute: ${this.#counts()}, about ${durationText(left)} left`;
    return `${pace}. For a large folder tms admin key create --item-writes-per-minute 5000 makes a key with a higher one.`;
  }

  #write(text: string): void {
    const wasShown = this.#isShown;
    this.stop();
    this.#stream.write(`tms: ${text}\n`);
    if (wasShown) this.#showBar();
  }

  #counts(): string {
    return `${this.#finished} of ${this.#total} files`;
  }

  #figures(left?: number): { rate: string; left: string } {
    const seconds = Math.max((this.#nowMs() - this.#startedAt) / millisecondsInSecond, 0.001);
    const rate = this.#finished / seconds;
    const guess = this.#finished === 0 ? undefined : (this.#total - this.#finished) / rate;
    const shown = left ?? guess;
    return {
      rate: rate >= 10 ? rate.toFixed(0) : rate.toFixed(1),
      left: shown === undefined ? '?' : durationText(shown),
    };
  }

  #nowMs(): number {
    return this.#options.now().getTime();
  }
}

/** Returns the seconds that writes take at a limit, of which the first ones go through after a wait. */
function limitedSeconds(writes: number, waitSeconds: number, writesPerMinute: number): number {
  return waitSeconds + (Math.max(1, Math.ceil(writes / writesPerMinute)) - 1) * 60;
}

/** Returns such as `45 s`, `3 min` or `1 h 20 min`. */
export function durationText(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 90) return `${whole} s`;
  const minutes = Math.ceil(whole / 60);
  if (minutes < 90) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
