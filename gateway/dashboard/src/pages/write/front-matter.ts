import { maxFrontmatterBytes } from '@teammemory/vocabulary/limits.ts';
import { Document, isMap, isScalar, isSeq, type Pair, parseDocument, type Scalar } from 'yaml';
import { t } from '../../language/language.ts';

/** An edit of a text: what stands between two places becomes another text. */
export interface TextChange {
  from: number;
  to: number;
  insert: string;
}

/** A member of the front matter. */
export interface FrontMatterField {
  name: string;
  /** As one reads it; the entries of a list with commas between them. */
  value: string;
  kind: 'text' | 'list' | 'other';
  /** Where it stands in the text, from its name to the end of its value. */
  from: number;
  to: number;
  /** The name as it is written. */
  written: string;
}

/** The front matter of a text, and where the text behind it begins. */
export interface FrontMatter {
  fields: readonly FrontMatterField[];
  /** Why it cannot be shown as fields. */
  problem: string | undefined;
  bodyFrom: number;
  /** Where another member can be written; undefined where there is no front matter. */
  end: number | undefined;
}

// As the sync and the service read it: no dates, and no tags that make objects.
const options = { schema: 'core', resolveKnownTags: false, stringKeys: true, logLevel: 'silent' } as const;
const opening = /^\ufeff?---[ \t]*\n/;
const closing = /^---[ \t]*(?:\n|$)/m;

/** Reads the front matter of a text whose lines end with `\n`. */
export function frontMatterOf(text: string): FrontMatter {
  const start = opening.exec(text)?.[0].length;
  const end = start === undefined ? null : closing.exec(text.slice(start));
  if (start === undefined || end === null)
    return { fields: [], problem: undefined, bodyFrom: 0, end: undefined };
  const place = start + end.index;
  const found = { bodyFrom: place + end[0].length, end: place };
  const source = text.slice(start, place);
  if (source.length > maxFrontmatterBytes)
    return { ...found, fields: [], problem: t('it is longer than 32 KiB') };
  const { contents, problem } = parsed(source);
  if (problem !== undefined) return { ...found, fields: [], problem };
  if (contents === null) return { ...found, fields: [], problem: undefined };
  if (!isMap(contents)) return { fields: [], problem: undefined, bodyFrom: 0, end: undefined };
  const fields = contents.items.flatMap((pair) => {
    const field = fieldOf(pair as Pair, source, start);
    return field === undefined ? [] : [contents.flow ? { ...field, kind: 'other' as const } : field];
  });
  return { ...found, fields, problem: undefined };
}

/** Parses front matter. A text that somebody nested thousands of levels deep ends the parser's stack. */
function parsed(source: string): { contents: unknown; problem: string | undefined } {
  try {
    const { contents, errors } = parseDocument(source, options);
    const [reason = ''] = (errors[0]?.message ?? '').split('\n');
    return { contents, problem: errors.length === 0 ? undefined : reason.replace(/ at line \d+.*$/, '') };
  } catch {
    return { contents: null, problem: t('it is nested too deeply') };
  }
}

function fieldOf({ key, value }: Pair, source: string, start: number): FrontMatterField | undefined {
  if (!isScalar(key) || !key.range) return undefined;
  const [from, keyEnd] = key.range;
  const written = source.slice(from, keyEnd);
  const node = value as Scalar | null;
  const range = node?.range ?? [keyEnd, keyEnd, keyEnd];
  const between = source.slice(keyEnd, range[0]);
  const text = source.slice(from, range[1]).trimEnd();
  const field = { name: String(key.value), written, from: start + from, to: start + from + text.length };
  const shown = node === null ? { kind: 'text' as const, value: '' } : shownValue(node);
  if (shown === undefined || !/^\s*:\s*$/.test(between))
    return { ...field, kind: 'other', value: source.slice(range[0], range[1]).trim() };
  // A value that is absent ends with its colon.
  const colon = source.indexOf(':', keyEnd) + 1;
  return { ...field, ...shown, to: Math.max(field.to, start + colon) };
}

/** A value of one line, or a list of such; undefined for others. */
function shownValue(node: unknown): Pick<FrontMatterField, 'kind' | 'value'> | undefined {
  if (isScalar(node)) {
    const value = lineOf(node);
    return value === undefined ? undefined : { kind: 'text', value };
  }
  if (!isSeq(node) || node.tag !== undefined || node.anchor !== undefined) return undefined;
  const entries = node.items.map((entry) => (isScalar(entry) ? lineOf(entry) : undefined));
  if (!entries.every((entry) => entry !== undefined && entry !== '' && !entry.includes(',')))
    return undefined;
  return { kind: 'list', value: entries.join(', ') };
}

function lineOf({ value, source, tag, anchor }: Scalar): string | undefined {
  if (tag !== undefined || anchor !== undefined) return undefined;
  if (value === null) return source === undefined || source === '' ? '' : source;
  const text = typeof value === 'string' ? value : (source ?? String(value));
  return /[\n\r\u2028\u2029]/.test(text) ? undefined : text;
}

/** Gives a field another value; the rest of the text stays as it is, byte for byte. */
export function changedField({ written, kind, from, to }: FrontMatterField, value: string): TextChange {
  const entries = value.split(',').map((entry) => entry.trim());
  const words =
    kind === 'list' ? `[${entries.filter(Boolean).map(listEntry).join(', ')}]` : plainOrQuoted(value.trim());
  return { from, to, insert: words === '' ? `${written}:` : `${written}: ${words}` };
}

/** Removes a field with its lines. */
export function removedField(text: string, { from, to }: FrontMatterField): TextChange {
  const lineEnd = text.indexOf('\n', to);
  return { from, to: lineEnd === -1 ? to : lineEnd + 1, insert: '' };
}

/** Adds a field behind the others, and front matter where there is none. */
export function addedField(text: string, name: string, value: string): TextChange {
  const line = `${plainOrQuoted(name)}: ${plainOrQuoted(value.trim())}`.trimEnd();
  const { end } = frontMatterOf(text);
  if (end !== undefined) return { from: end, to: end, insert: `${line}\n` };
  const begin = text.startsWith('\ufeff') ? 1 : 0;
  return { from: begin, to: begin, insert: `---\n${line}\n---\n` };
}

/** A value as it is written in YAML: as it was typed where that means the same, else between quotes. */
function plainOrQuoted(value: string): string {
  if (value === '') return '';
  const { contents, errors } = parseDocument(`key: ${value}`, options);
  const read = isMap(contents) && contents.items.length === 1 ? contents.items[0]?.value : undefined;
  const isSame = errors.length === 0 && isScalar(read) && read.type === 'PLAIN' && lineOf(read) === value;
  return isSame ? value : quoted(value);
}

function listEntry(value: string): string {
  const { contents, errors } = parseDocument(`[${value}]`, options);
  const read = isSeq(contents) && contents.items.length === 1 ? contents.items[0] : undefined;
  const isSame = errors.length === 0 && isScalar(read) && read.type === 'PLAIN' && lineOf(read) === value;
  return isSame ? value : quoted(value);
}

function quoted(value: string): string {
  return new Document(value).toString({ lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE' }).trimEnd();
}

/** Returns a text with a change made. */
export function withChange(text: string, { from, to, insert }: TextChange): string {
  return text.slice(0, from) + insert + text.slice(to);
}
