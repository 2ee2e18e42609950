import { isDeepStrictEqual } from 'node:util';
import type { Entry, EntryFormat, Input, NewEntry } from '@teammemory/vocabulary/mcp-entries.ts';
import { getNodeValue, type Node } from 'jsonc-parser';
import { CliError } from '../cli-error.ts';
import { insertLast, memberOf, parseJson, removeChild, replaceValue } from './json-edit.ts';
import { appendTable, parseToml, removeTable } from './toml-edit.ts';

/** The text of a configuration file, and where it is, for errors. */
export interface ConfigurationText {
  path: string;
  /** Undefined if there is no file. */
  text: string | undefined;
  format: EntryFormat;
}

/** Returns the entries by their names. Throws CliError `bad_file` for a text that the client could not read either. */
export function readEntries(file: ConfigurationText): Record<string, unknown> {
  return entriesOf(file, parsed(file, file.text ?? ''));
}

/** Returns the text with the entry, in the place of an earlier one of this name. Throws CliError `bad_file`. */
export function putEntry(file: ConfigurationText, name: string, { entry, input }: NewEntry): string {
  const { text = '', format } = file;
  const before = parsed(file, text);
  const expected = { ...before, [format.container]: { ...entriesOf(file, before), [name]: entry } };
  if (format.syntax === 'toml') {
    const path = [format.container, name];
    return checked(file, appendTable(removeTable(text, path), path, entry), expected);
  }
  const empty = text.trim() === '';
  let written = putJsonEntry(file, empty ? '{}' : text, name, entry);
  if (input !== undefined) {
    written = putJsonInput(file, written, input);
    const others = inputsOf(before).filter(({ id }) => id !== input.id);
    return checked(file, empty ? `${written}\n` : written, { ...expected, inputs: [...others, input] });
  }
  return checked(file, empty ? `${written}\n` : written, expected);
}

/** Returns the text without the entry, and without the input of this id. Throws CliError `bad_file`. */
export function removeEntry(file: ConfigurationText, name: string, inputId: string): string {
  const { text = '', format } = file;
  const before = parsed(file, text);
  const { [name]: _, ...entries } = entriesOf(file, before);
  const expected: Record<string, unknown> = { ...before, [format.container]: entries };
  if (format.syntax === 'toml') {
    return checked(file, removeTable(text, [format.container, name]), expected);
  }
  let written = withoutMember(file, text, format.container, (child) => child.children?.[0]?.value === name);
  // An input that other entries use stays.
  if (inputsOf(before).some(({ id }) => id === inputId) && !JSON.stringify(entries).includes(inputId)) {
    written = withoutMember(file, written, 'inputs', (child) => getNodeValue(child)?.id === inputId);
    expected.inputs = inputsOf(before).filter(({ id }) => id !== inputId);
  }
  return checked(file, written, expected);
}

function putJsonEntry(file: ConfigurationText, text: string, name: string, entry: Entry): string {
  const root = treeOf(file, text);
  const { container } = file.format;
  const entries = memberOf(root, container);
  if (entries === undefined) return insertLast(text, root, { name: container, value: { [name]: entry } });
  const existing = memberOf(entries, name);
  if (existing === undefined) return insertLast(text, entries, { name, value: entry });
  return replaceValue(text, existing, entry);
}

function putJsonInput(file: ConfigurationText, text: string, input: Input): string {
  const root = treeOf(file, text);
  const inputs = memberOf(root, 'inputs');
  if (inputs === undefined) return insertLast(text, root, { name: 'inputs', value: [input] });
  const existing = inputs.children?.find((child) => getNodeValue(child)?.id === input.id);
  if (existing !== undefined) return replaceValue(text, existing, input);
  return insertLast(text, inputs, { value: input });
}

function withoutMember(
  file: ConfigurationText,
  text: string,
  container: string,
  isMember: (child: Node) => boolean,
): string {
  const node = memberOf(treeOf(file, text), container);
  const child = node?.children?.find(isMember);
  return node === undefined || child === undefined ? text : removeChild(text, node, child);
}

/** Returns the content. Copied, its objects have the usual prototype, whatever the parser gave them. */
function parsed(file: ConfigurationText, text: string): Record<string, unknown> {
  if (file.format.syntax === 'toml') return structuredClone(orBadFile(file, () => parseToml(text)));
  return text.trim() === '' ? {} : structuredClone(getNodeValue(treeOf(file, text)));
}

function treeOf(file: ConfigurationText, text: string): Node {
  return orBadFile(file, () => {
    const root = parseJson(text, { comments: file.format.syntax === 'json with comments' });
    for (const name of [file.format.container, 'inputs']) memberOf(root, name);
    return root;
  });
}

function entriesOf({ path, format }: ConfigurationText, content: Record<string, unknown>): Entry {
  const entries = content[format.container] ?? {};
  if (typeof entries === 'object' && !Array.isArray(entries)) return entries as Entry;
  throw badFile(path, `Its ${format.container} is not a list of servers.`);
}

function inputsOf({ inputs }: Record<string, unknown>): Input[] {
  return Array.isArray(inputs) ? inputs : [];
}

/** Returns a text that was written if it means what it should; every other text has a form that is not understood. */
function checked(file: ConfigurationText, written: string, expected: Record<string, unknown>): string {
  try {
    const after = parsed(file, written);
    if (isDeepStrictEqual(meaning(after, file), meaning(expected, file))) return written;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
  }
  throw badFile(file.path, 'Its entry has a form that only its author can change: edit it by hand.');
}

/** The content, with no difference between no entries and an empty list of them. */
function meaning(content: Record<string, unknown>, { format }: ConfigurationText): unknown {
  const entries = content[format.container] as Entry | undefined;
  const isEmpty = entries === undefined || Object.keys(entries).length === 0;
  return { ...content, [format.container]: isEmpty ? undefined : entries };
}

function orBadFile<Result>({ path }: ConfigurationText, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof SyntaxError) throw badFile(path, error.message);
    throw error;
  }
}

function badFile(path: string, problem: string): CliError {
  return new CliError('bad_file', `${path} was not changed. ${problem}`);
}
