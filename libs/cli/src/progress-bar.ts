import { SingleBar } from 'cli-progress';
import type { TextStream } from './cli-context.ts';

/** Says how far a push is. */
export interface ProgressBar {
  advance(files: number): void;
  stop(): void;
}

/** A progress bar on a terminal; where the stream is none, one that stays silent. */
export function createProgressBar(stream: TextStream, totalFiles: number): ProgressBar {
  if (!stream.isTTY) return { advance: () => undefined, stop: () => undefined };
  const bar = new SingleBar({ stream, format: 'pushing {bar} {value}/{total} files', clearOnComplete: true });
  bar.start(totalFiles, 0);
  return { advance: (files) => bar.increment(files), stop: () => bar.stop() };
}
