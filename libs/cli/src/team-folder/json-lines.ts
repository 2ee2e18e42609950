import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import type { ZodType } from 'zod';
import { CliError } from '../cli-error.ts';

/** Bytes that are gathered before they are written. */
const writeBytes = 1024 * 1024;
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
    for await (const line of linesOf(path)) {
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
async function* linesOf(path: string): AsyncGenerator<string> {
  let parts: string[] = [];
  for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const [first = '', ...rest] = chunk.split('\n');
    parts.push(first);
    for (const part of rest) {
      yield parts.join('');
      parts = [part];
    }
  }
  const last = parts.join('');
  if (last !== '') yield last;
}

/** Yields the rows of a file. Throws CliError `damaged_export` for a line that is not such a row. */
export async function* readJsonLines<Row>(path: string, schema: ZodType<Row>): AsyncGenerator<Row> {
  let number = 0;
  try {
    for await (const line of linesOf(path)) {
      number += 1;
      if (line.trim() !== '') yield schema.parse(JSON.parse(line));
    }
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw new CliError(
      'damaged_export',
      missing ? `${path} is missing.` : `${path}: line ${number} is damaged.`,
    );
  }
}
