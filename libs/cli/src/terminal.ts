import { SingleBar } from 'cli-progress';
import type { TextStream } from './cli-context.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
const controlCharacters = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
/** Those of them that JSON lets through. */
const rawInJson = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text from elsewhere, made safe for a terminal: without the control characters
 * that move its cursor, rename its window, answer in the reader's name or turn
 * the direction of writing around. Line feeds and tabs stay.
 */
export function printable(text: string): string {
  return text.replace(controlCharacters, '');
}

/** A value as JSON on one line, with the same characters written as `\\u009b`: a terminal may be what reads it. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replace(
    rawInJson,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

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
