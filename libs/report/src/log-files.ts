import { createReadStream } from 'node:fs';
import { type FileHandle, open, opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parsed } from './fields.ts';
import type { LogReading } from './session-event.ts';

/** Files of one client: years of sessions. */
const maxFiles = 20_000;
/** Entries of folders that are looked at, whatever they are. */
const maxEntries = 200_000;
const maxDepth = 6;
/** A line has an answer or the output of a tool. */
const maxLineBytes = 4 * 1024 * 1024;
/** A file of lines; what is behind is not read. */
const maxFileBytes = 512 * 1024 * 1024;
/** A file that has to be parsed as a whole. */
const maxWholeBytes = 32 * 1024 * 1024;
const lineFeed = 10;

/**
 * Yields the files below a folder whose names fit and that were changed since. Symbolic links are not followed, and a
 * folder that is not there is empty.
 */
export async function* logFiles(folder: string, name: RegExp, reading: LogReading): AsyncGenerator<string> {
  const { since, signal, skipped } = reading;
  const waiting: { path: string; depth: number }[] = [{ path: folder, depth: 0 }];
  let files = 0;
  let entries = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, depth } = next;
    const directory = await opendir(path).catch(() => undefined);
    if (directory === undefined) continue;
    for await (const entry of directory) {
      signal.throwIfAborted();
      entries += 1;
      if (entries > maxEntries) {
        skipped.files += 1;
        return;
      }
      const inside = join(path, entry.name);
      if (entry.isDirectory() && depth < maxDepth) waiting.push({ path: inside, depth: depth + 1 });
      if (!entry.isFile() || !name.test(entry.name)) continue;
      const known = await stat(inside).catch(() => undefined);
      if (known === undefined || known.mtimeMs < since) continue;
      files += 1;
      if (files > maxFiles) skipped.files += 1;
      else yield inside;
    }
  }
}

/** Yields the values of a file with a JSON text in each line. Torn and very long lines are skipped and counted. */
export async function* jsonLines(path: string, { skipped, signal }: LogReading): AsyncGenerator<unknown> {
  let line: Buffer[] = [];
  let bytes = 0;
  const stream = createReadStream(path, { end: maxFileBytes, highWaterMark: 256 * 1024, signal });
  const take = (): unknown => {
    const text = Buffer.concat(line).toString();
    const isLarge = bytes > maxLineBytes;
    line = [];
    bytes = 0;
    if (isLarge) skipped.large += 1;
    if (isLarge || text.trim() === '') return undefined;
    const value = parsed(text);
    if (value === undefined) skipped.torn += 1;
    return value;
  };
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      let start = 0;
      for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
        bytes += end - start;
        if (bytes <= maxLineBytes) line.push(chunk.subarray(start, end));
        const value = take();
        if (value !== undefined) yield value;
        start = end + 1;
      }
      bytes += chunk.length - start;
      if (bytes <= maxLineBytes) line.push(chunk.subarray(start));
      else line = [];
    }
  } catch (error) {
    // A file that went away or may not be read is one that is not there.
    if (signal.aborted) throw error;
    skipped.torn += 1;
    return;
  }
  // The last line may still be written.
  const value = take();
  if (value !== undefined) yield value;
}

/** Returns the value of a file that is one JSON text; undefined, and counted, for one that is torn or too large. */
export async function jsonFile(path: string, { skipped }: LogReading): Promise<unknown> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    const { size } = await file.stat();
    if (size > maxWholeBytes) {
      skipped.large += 1;
      return undefined;
    }
    const value = parsed((await file.readFile()).toString());
    if (value === undefined) skipped.torn += 1;
    return value;
  } catch {
    skipped.torn += 1;
    return undefined;
  } finally {
    await file?.close();
  }
}
