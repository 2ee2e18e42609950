import { createHash, type Hash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { syncFolder } from '@teammemory/sync/state/file-system.ts';
import { parseBoundedJson } from '@teammemory/vocabulary/bounded-json.ts';
import { CliError } from '../cli-error.ts';

// A backup is one file: a line with the format and the SHA-256 of everything behind it, then gzip. Unpacked it is text: each
// line is a row as JSON, or begins with `#` and says what follows.
//
//   team-memory-backup 1 sha256:<64 hexadecimal digits>
//   #{"created_at":"…","product":"0.1.0","services":["query","content","analytics","auth"]}
//   #{"section":"content/items"}
//   {"team_id":"…","row_key":"notes/a.md",…}
//   #{"end":{"query/embeddings":0,"content/items":1}}

/** The format of the file. A program reads this one and those before it. */
const format = 1;
const magic = 'team-memory-backup';
const firstLine = (digest: string) => `${magic} ${format} sha256:${digest}\n`;
const firstLineLength = firstLine('0'.repeat(64)).length;
/** Rows of the largest items have some 14 million characters. */
const maxLineCharacters = 2 ** 24;
/** Lines about the archive itself have a few thousand characters. */
const maxSaidCharacters = 2 ** 16;
/** More than services have. */
const maxSections = 1_000;
/** Bytes of the file that are read at once. */
const chunkBytes = 2 ** 16;
/** Lines are handed on in pages of at most so many characters, or of one line that has more. */
const pageCharacters = 2 ** 20;

/** What an archive says about itself. */
export interface ArchiveHeader {
  /** RFC 3339. */
  created_at: string;
  /** The version of the program that made it. */
  product: string;
  /** The services whose data it has. */
  services: readonly string[];
}

/** An archive as a whole. */
export interface ArchiveSummary extends ArchiveHeader {
  /** Rows by section. */
  rows: Record<string, number>;
  /** Size of the file. */
  bytes: number;
}

/** Lines of a section, each with a line feed at its end. */
export interface ArchivePage {
  section: string;
  lines: string;
}

/**
 * Writes an archive that only its owner can read. The file has its name only once it is whole and on the disk; what was
 * begun and not finished is removed.
 * @throws CliError `exists` if there is such a file, and what reading the pages throws.
 */
export async function writeArchive(
  path: string,
  header: ArchiveHeader,
  pages: AsyncIterable<{ section: string; lines: Uint8Array }>,
): Promise<ArchiveSummary> {
  // Not the id of the process: in a container it is the same each time, and a killed backup leaves its draft.
  const draft = join(dirname(path), `.${basename(path)}.partial-${randomUUID().slice(0, 8)}`);
  const { O_CREAT, O_EXCL, O_RDWR } = constants;
  if (await exists(path)) throw taken(path);
  const file = await open(draft, O_CREAT | O_EXCL | O_RDWR, 0o600).catch((error: unknown) => {
    throw new CliError('unwritable', `${draft} cannot be written: ${(error as Error).message}.`);
  });
  try {
    const rows: Record<string, number> = {};
    const hash = createHash('sha256');
    await file.write(firstLine('0'.repeat(64)));
    await pipeline(textOf(header, pages, rows), createGzip(), async (packed: AsyncIterable<Buffer>) => {
      for await (const chunk of packed) {
        hash.update(chunk);
        await file.writeFile(chunk);
      }
    });
    await file.write(firstLine(hash.digest('hex')), 0);
    await file.sync();
    const { size } = await file.stat();
    await file.close();
    await nameFile(draft, path);
    await syncFolder(dirname(path));
    return { ...header, rows, bytes: size };
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(draft, { force: true });
    throw error;
  }
}

async function* textOf(
  header: ArchiveHeader,
  pages: AsyncIterable<{ section: string; lines: Uint8Array }>,
  rows: Record<string, number>,
): AsyncGenerator<string | Uint8Array> {
  yield `#${JSON.stringify(header)}\n`;
  let current: string | undefined;
  for await (const { section, lines } of pages) {
    if (section !== current) {
      if (rows[section] !== undefined)
        throw new CliError('invalid_answer', `The section ${section} came twice.`);
      rows[section] = 0;
      yield `#${JSON.stringify({ section })}\n`;
      current = section;
    }
    if (lines.length === 0) continue;
    rows[section] = (rows[section] ?? 0) + countLines(lines);
    yield lines;
  }
  yield `#${JSON.stringify({ end: rows })}\n`;
}

/**
 * Reads an archive page by page, and checks at the end that it is whole and unchanged.
 * @throws CliError `damaged` for a file that is not, `newer` for one of a newer program.
 */
export async function* readArchive(
  path: string,
  told: (summary: ArchiveSummary) => void,
): AsyncGenerator<ArchivePage> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw new CliError('unreadable', `${path} cannot be read: ${(error as Error).message}.`);
  });
  try {
    const digest = await readFirstLine(file, path);
    const hash = createHash('sha256');
    const text = createGunzip();
    const piped = pipeline(chunksOf(file, hash), text);
    piped.catch(() => undefined);
    let header: ArchiveHeader | undefined;
    let section: string | undefined;
    let end: Record<string, number> | undefined;
    const rows: Record<string, number> = {};
    let page: string[] = [];
    let characters = 0;
    try {
      for await (const line of linesOf(text)) {
        if (end !== undefined) throw damaged(path, 'it goes on after its end');
        if (!line.startsWith('#')) {
          if (section === undefined) throw damaged(path, 'a row has no section');
          rows[section] = (rows[section] ?? 0) + 1;
          if (page.length === 0 || characters + line.length <= pageCharacters) {
            page.push(line);
            characters += line.length;
            continue;
          }
        }
        if (section !== undefined && page.length > 0) yield { section, lines: `${page.join('\n')}\n` };
        page = [];
        characters = 0;
        if (!line.startsWith('#')) {
          page.push(line);
          characters = line.length;
          continue;
        }
        const said = parse(path, line);
        if (header === undefined) header = headerFrom(path, said);
        else if ('end' in said) end = said.end as Record<string, number>;
        else if (typeof said.section === 'string' && isNew(rows, said.section)) {
          section = said.section;
          rows[section] = 0;
        } else throw damaged(path, 'a line says nothing that is known');
      }
      await piped;
    } catch (error) {
      if (error instanceof CliError) throw error;
      throw damaged(path, (error as Error).message);
    }
    if (header === undefined || end === undefined) throw damaged(path, 'its end is missing');
    if (!isSame(rows, end)) throw damaged(path, 'rows are missing');
    if (hash.digest('hex') !== digest) throw damaged(path, 'its SHA-256 is not that of its first line');
    const { size } = await file.stat();
    told({ ...header, rows, bytes: size });
  } finally {
    await file.close().catch(() => undefined);
  }
}

/** Whether a file begins as an archive does. */
export async function isArchive(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return false;
  try {
    const { buffer } = await file.read(Buffer.alloc(magic.length + 1), 0, magic.length + 1, 0);
    return buffer.toString('latin1') === `${magic} `;
  } finally {
    await file.close();
  }
}

async function readFirstLine(file: FileHandle, path: string): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(firstLineLength), 0, firstLineLength, 0);
  const line = buffer.toString('latin1', 0, bytesRead);
  const version = /^team-memory-backup (\d{1,9}) /.exec(line)?.[1];
  if (version === undefined) throw damaged(path, 'it does not begin as a backup does');
  if (Number(version) > format) {
    throw new CliError(
      'newer',
      `${path} was made by a newer version of this program: its format is ${version}.`,
    );
  }
  const digest = /^team-memory-backup 1 sha256:([0-9a-f]{64})\n$/.exec(line)?.[1];
  if (digest === undefined) throw damaged(path, 'its first line is damaged');
  return digest;
}

/** Reads the lines of a stream of text, each of which ends with a line feed. */
async function* linesOf(text: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let pieces: string[] = [];
  let characters = 0;
  for await (const chunk of text) {
    const [first = '', ...more] = utf8.decode(chunk, { stream: true }).split('\n');
    pieces.push(first);
    characters += first.length;
    if (characters > maxLineCharacters) throw new Error('a line is too long');
    for (const piece of more) {
      yield pieces.join('');
      pieces = [piece];
      characters = piece.length;
    }
  }
  if (pieces.join('') !== '') throw new Error('its last line has no end');
}

/** Reads a file behind its first line, and takes it into a hash. */
async function* chunksOf(file: FileHandle, hash: Hash): AsyncGenerator<Buffer> {
  for (let position = firstLineLength; ; ) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(chunkBytes), 0, chunkBytes, position);
    if (bytesRead === 0) return;
    const chunk = buffer.subarray(0, bytesRead);
    hash.update(chunk);
    yield chunk;
    position += bytesRead;
  }
}

function countLines(lines: Uint8Array): number {
  let count = 0;
  for (let at = lines.indexOf(10); at !== -1; at = lines.indexOf(10, at + 1)) count += 1;
  return count;
}

function parse(path: string, line: string): Record<string, unknown> {
  try {
    const bounds = { maxCharacters: maxSaidCharacters, maxValues: maxSaidCharacters };
    const said = parseBoundedJson(line.slice(1), bounds);
    if (typeof said === 'object' && said !== null) return said as Record<string, unknown>;
  } catch {
    // Told below.
  }
  throw damaged(path, 'a line about it cannot be read');
}

function isNew(rows: Record<string, number>, section: string): boolean {
  return rows[section] === undefined && Object.keys(rows).length < maxSections;
}

function headerFrom(path: string, said: Record<string, unknown>): ArchiveHeader {
  const { created_at, product, services } = said;
  if (typeof created_at === 'string' && typeof product === 'string' && Array.isArray(services))
    return { created_at, product, services: services.map(String) };
  throw damaged(path, 'its header is damaged');
}

function isSame(rows: Record<string, number>, end: unknown): boolean {
  if (typeof end !== 'object' || end === null) return false;
  const counts = Object.entries(end);
  return (
    counts.length === Object.keys(rows).length && counts.every(([section, count]) => rows[section] === count)
  );
}

function damaged(path: string, why: string): CliError {
  return new CliError('damaged', `${path} is no whole backup: ${why}.`);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Gives a draft its name, unless somebody has taken it meanwhile. Some file systems have no links; there the last one wins. */
async function nameFile(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw taken(path);
    await rename(draft, path);
    return;
  }
  await rm(draft);
}

function taken(path: string): CliError {
  return new CliError('exists', `There is a file ${path} already.`);
}
