import { parse, TomlError } from 'smol-toml';

// Changes of a TOML text by whole tables, which leave every other line as it is.

/** Parses a text. Throws SyntaxError for one that is not valid. */
export function parseToml(text: string): Record<string, unknown> {
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' });
  } catch (error) {
    if (error instanceof TomlError) throw new SyntaxError('It is not valid TOML.');
    throw error;
  }
}

/** Adds a table at the end. Its values are texts and lists of texts; `path` has names that need no quotes. */
export function appendTable(text: string, path: readonly string[], table: object): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
  const values = Object.entries(table).map(([name, value]) => `${name} = ${valueText(value)}`);
  return `${text}${gap}${[`[${path.join('.')}]`, ...values, ''].join(eol)}`;
}

function valueText(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(valueText).join(', ')}]` : JSON.stringify(value);
}

/** Removes a table and the tables below it, with the empty line before each. Comments before the next table stay. */
export function removeTable(text: string, path: readonly string[]): string {
  const lines = text.split(/(?<=\n)/);
  const kept: string[] = [];
  let table: string[] | undefined;
  const endTable = () => {
    if (table === undefined) return;
    const last = table.findLastIndex((line) => !/^\s*(#.*)?$/.test(line));
    if (kept.at(-1)?.trim() === '') kept.pop();
    kept.push(...table.slice(last + 1));
    table = undefined;
  };
  for (const line of lines) {
    const header = headerPath(line);
    if (header !== undefined) {
      endTable();
      if (path.every((name, index) => header[index] === name)) table = [];
    }
    (table ?? kept).push(line);
  }
  endTable();
  return kept.join('');
}

/** The names of the header of a table; undefined for another line. */
function headerPath(line: string): string[] | undefined {
  if (!line.trimStart().startsWith('[')) return undefined;
  const names: string[] = [];
  try {
    for (let table: unknown = parse(line); typeof table === 'object' && table !== null; ) {
      const [entry] = Object.entries(Array.isArray(table) ? (table[0] ?? {}) : table);
      if (entry === undefined) break;
      names.push(entry[0]);
      table = entry[1];
    }
  } catch {
    return undefined; // a line of a list over several lines
  }
  return names;
}
