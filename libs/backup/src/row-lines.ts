import { AppError } from '@teammemory/errors/app-error.ts';
import { parseBoundedJson } from '@teammemory/vocabulary/bounded-json.ts';
import type { BackupRow, Fields, FieldType, FieldValue } from './backup-store.ts';

/** A page of rows has at most so many characters, or one row that has more: a message of a restore takes that. */
const pageCharacters = 2 ** 20;

/** Rows of the largest items have some 14 million characters. A row has a value for each field, and some have words. */
const rowBounds = { maxCharacters: 2 ** 24, maxValues: 10_000 };

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns a row as one line of JSON without a line break. Bytes are text where they are UTF-8, else base64. */
export function lineFromRow(fields: Fields, row: BackupRow): string {
  const values = Object.entries(fields).map(([name, type]) => {
    const value = row[name] ?? null;
    return [name, type === 'bytes' ? bytesToJson(value as Uint8Array) : value];
  });
  return JSON.stringify(Object.fromEntries(values));
}

/**
 * Reads a row back.
 * @throws AppError `invalid_request` for a line that is no row with these fields.
 */
export function rowFromLine(fields: Fields, line: string): BackupRow {
  const parsed = parse(line);
  const unknown = Object.keys(parsed).find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined)
    throw damaged(`has a field ${JSON.stringify(unknown)} that this version does not know`);
  const values = Object.entries(fields).map(([name, type]) => [name, valueFrom(parsed[name], name, type)]);
  return Object.fromEntries(values) as BackupRow;
}

/** Returns pages of rows as texts of whole lines, each of about `pageCharacters`. */
export async function* linesFromPages(
  fields: Fields,
  pages: AsyncIterable<readonly BackupRow[]>,
): AsyncGenerator<string> {
  let lines: string[] = [];
  let characters = 0;
  for await (const rows of pages) {
    for (const row of rows) {
      const line = lineFromRow(fields, row);
      if (lines.length > 0 && characters + line.length > pageCharacters) {
        yield `${lines.join('\n')}\n`;
        lines = [];
        characters = 0;
      }
      lines.push(line);
      characters += line.length;
    }
  }
  if (lines.length > 0) yield `${lines.join('\n')}\n`;
}

/** Reads the rows of a text of whole lines. @throws AppError as `rowFromLine`. */
export function rowsFromLines(fields: Fields, text: string): BackupRow[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => rowFromLine(fields, line));
}

function parse(line: string): Record<string, unknown> {
  try {
    const parsed = parseBoundedJson(line, rowBounds);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>;
  } catch {
    // Told below.
  }
  throw damaged('is no JSON object, or too large');
}

function valueFrom(value: unknown, name: string, type: FieldType): FieldValue {
  const isOptional = type === 'text?' || type === 'number?';
  if (isOptional && (value === null || value === undefined)) return null;
  if ((type === 'text' || type === 'text?') && typeof value === 'string') return value;
  if ((type === 'number' || type === 'number?') && Number.isFinite(value)) return value as number;
  if (type === 'flag' && typeof value === 'boolean') return value;
  if (type === 'words' && Array.isArray(value) && value.every((word) => typeof word === 'string'))
    return value;
  if (type === 'bytes') return bytesFromJson(value, name);
  throw damaged(`has no ${type.replace('?', '')} as ${name}`);
}

function bytesToJson(bytes: Uint8Array): object {
  try {
    return { text: utf8.decode(bytes) };
  } catch {
    return { base64: Buffer.from(bytes).toString('base64') };
  }
}

function bytesFromJson(value: unknown, name: string): Uint8Array {
  if (typeof value === 'object' && value !== null) {
    if ('text' in value && typeof value.text === 'string') return Buffer.from(value.text, 'utf8');
    if ('base64' in value && typeof value.base64 === 'string') return Buffer.from(value.base64, 'base64');
  }
  throw damaged(`has no bytes as ${name}`);
}

function damaged(what: string): AppError {
  return new AppError('invalid_request', `A row of the backup ${what}.`);
}
