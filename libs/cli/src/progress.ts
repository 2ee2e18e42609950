import type { TextStream } from './cli-context.ts';

/** Shows how far a run is. */
export interface Progress {
  /** Sets how many files there are, and shows the bar. A run that looks again starts again. */
  start(total: number): void;
  done(files: number): void;
  /** Says that the run waits for the write limit, and for how long. */
  waiting(seconds: number): void;
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
const millisecondsInSecond = 1000;

/**
 * Makes a progress bar with files done, rate and time left, on a terminal. Elsewhere only waits are told, one line each;
 * with `quiet` nothing is.
 */
export async function createProgress(
  stream: TextStream,
  { quiet, verb, now }: { quiet: boolean; verb: string; now(): Date },
): Promise<Progress> {
  if (quiet) return silent;
  const tellWait = (seconds: number) =>
    stream.write(`tms: the write limit of the key is reached, continuing in ${seconds} s\n`);
  if (!stream.isTTY) return { ...silent, waiting: tellWait };
  const { SingleBar } = await import('cli-progress');
  const bar = new SingleBar({
    stream,
    format: `${verb} {bar} {value}/{total} files, {rate}/s, {left} left{note}`,
    clearOnComplete: true,
    hideCursor: true,
  });
  let running = false;
  let startedAt = 0;
  let finished = 0;
  let total = 0;
  const figures = () => {
    const seconds = Math.max((now().getTime() - startedAt) / millisecondsInSecond, 0.001);
    const rate = finished / seconds;
    return {
      rate: rate >= 10 ? rate.toFixed(0) : rate.toFixed(1),
      left: finished === 0 ? '?' : durationText((total - finished) / rate),
    };
  };
  return {
    start: (files) => {
      total = files;
      finished = 0;
      if (running) bar.stop();
      running = files >= fewestFiles;
      if (!running) return;
      startedAt = now().getTime();
      bar.start(files, 0, { ...figures(), note: '' });
    },
    done: (files) => {
      finished = files;
      if (running) bar.update(files, { ...figures(), note: '' });
    },
    waiting: (seconds) => {
      const note = `, waiting ${seconds} s for the write limit of the key`;
      if (running) bar.update(finished, { ...figures(), note });
      else tellWait(seconds);
    },
    stop: () => {
      if (running) bar.stop();
      running = false;
    },
  };
}

/** Returns such as `45 s`, `3 min` or `1 h 20 min`. */
export function durationText(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 90) return `${whole} s`;
  const minutes = Math.ceil(whole / 60);
  if (minutes < 90) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
