import { SingleBar } from 'cli-progress';
import type { TextStream } from './cli-context.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: it has to find control characters
const controlCharacters = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
/** The control characters that JSON does not escape. */
const rawInJson = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Makes foreign text safe for a terminal. It removes the control characters that move the cursor, rename the window,
 * type as the user or change the direction of text. Line feeds and tabs stay.
 */
export function printable(text: string): string {
  return text.replace(controlCharacters, '');
}

/** Returns a value as JSON on one line, with these characters escaped as in `\\u009b`, because it may go to a terminal. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replace(
    rawInJson,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Shows the progress of a push. */
export interface ProgressBar {
  advance(files: number): void;
  stop(): void;
}

/** Makes a progress bar, which shows nothing if the stream is not a terminal. */
export function createProgressBar(stream: TextStream, totalFiles: number): ProgressBar {
  if (!stream.isTTY) return { advance: () => undefined, stop: () => undefined };
  const bar = new SingleBar({ stream, format: 'pushing {bar} {value}/{total} files', clearOnComplete: true });
  bar.start(totalFiles, 0);
  return { advance: (files) => bar.increment(files), stop: () => bar.stop() };
}
