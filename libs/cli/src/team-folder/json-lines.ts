import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { parseBoundedJson } from '@teammemory/vocabulary/bounded-json.ts';
import type { ZodType } from 'zod';
import { CliError } from '../cli-error.ts';
import { openFolderFile } from './folder-file.ts';

/** Bytes that are gathered before they are written. */
const writeBytes = 1024 * 1024;
/** Rows of the largest items have some 14 million characters. */
const lineBounds = { maxCharacters: 2 ** 24, maxValues: 2 ** 18 };
const ownerOnly = 0o600;

/** A file of JSON lines that is written row by row. A row that comes again replaces what came before. */
export interface JsonLinesWriter {
  put(id: string, row: object): Promise<void>;
  remove(id: string): void;
  /** Leaves the newest line of each row, flushes the file to the disk and returns the number of its lines. */
  finish(): Promise<number>;
  close(): Promise<void>;
}

/** Creates the file, which must not exist. Memory holds the ids and about a mebibyte of lines. */
export async function createJsonLines(path: string): Promise<JsonLinesWriter> {
  const file = await appender(path);
  /** The line that counts of each row. */
  const newest = new Map<string, number>();
  let lines = 0;
  return {
    async put(id, row) {
      newest.set(id, lines);
      lines += 1;
      await file.append(`${JSON.stringify(row)}\n`);
    },
    remove: (id) => {
      newest.delete(id);
    },
    async finish() {
      await file.end();
      if (newest.size < lines) await keepLines(path, new Set(newest.values()));
      return newest.size;
    },
    close: file.close,
  };
}

async function keepLines(path: string, kept: ReadonlySet<number>): Promise<void> {
  const file = await appender(`${path}.new`);
  try {
    let number = 0;
    for await (const line of linesOf(createReadStream(path, 'utf8'))) {
      if (kept.has(number)) await file.append(`${line}\n`);
      number += 1;
    }
    await file.end();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}

async function appender(path: string) {
  const handle: FileHandle = await open(path, 'wx', ownerOnly);
  let waiting: string[] = [];
  let size = 0;
  let isOpen = true;
  const flush = async () => {
    const text = waiting.join('');
    waiting = [];
    size = 0;
    if (text !== '') await handle.writeFile(text);
  };
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await handle.close();
  };
  return {
    async append(text: string) {
      waiting.push(text);
      size += text.length;
      if (size >= writeBytes) await flush();
    },
    async end() {
      await flush();
      await handle.sync();
      await close();
    },
    close,
  };
}

/** Only a line feed ends a line; `node:readline` also splits at characters that JSON texts may have. */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let parts: string[] = [];
  let characters = 0;
  for await (const chunk of text) {
    const [first = '', ...rest] = chunk.split('\n');
    parts.push(first);
    characters += first.length;
    if (characters > lineBounds.maxCharacters) throw new Error('a line is too long');
    for (const part of rest) {
      yield parts.join('');
      parts = [part];
      characters = part.length;
    }
  }
  const last = parts.join('');
  if (last !== '') yield last;
}

/** Yields the rows of a file of an exported folder. Throws CliError `damaged_export` for a line that is not such a row. */
export async function* readJsonLines<Row>(
  folder: string,
  name: string,
  schema: ZodType<Row>,
): AsyncGenerator<Row> {
  // Lines are read one by one, so the file itself may have any size.
  const file = await openFolderFile(folder, name, { maxBytes: Number.POSITIVE_INFINITY });
  let number = 1;
  try {
    for await (const line of linesOf(file.createReadStream({ encoding: 'utf8', autoClose: false }))) {
      if (line.trim() !== '') yield schema.parse(parseBoundedJson(line, lineBounds));
      number += 1;
    }
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    throw new CliError('damaged_export', `${join(folder, name)}: line ${number} is damaged.`);
  } finally {
    await file.close();
  }
}
