import { openApiDocument } from '../openapi/document.ts';

/** An operation of the API that takes a body, with the body of its example. */
export interface OperationWithBody {
  operationId: string;
  method: string;
  path: string;
  example: unknown;
}

interface RequestBody {
  content: Record<string, { example: unknown }>;
}

/** Every operation that takes a body, as the document lists them: a new one is here by itself. */
export const operationsWithBody: OperationWithBody[] = Object.entries(openApiDocument.paths).flatMap(
  ([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const { requestBody } = operation as { requestBody?: RequestBody };
      const example = requestBody?.content['application/json']?.example;
      if (example === undefined) return [];
      return [{ operationId: operation.operationId, method: method.toUpperCase(), path, example }];
    }),
);

/** JSON that costs much to read and little to send, of about so many bytes. */
export const heavyValues: Readonly<Record<string, (bytes: number) => string>> = {
  'numbers with exponents': (bytes) => repeated('1e1,', bytes),
  'long numbers': (bytes) => repeated('9007199254740993,', bytes),
  'empty arrays': (bytes) => repeated('[],', bytes),
  'nested arrays': (bytes) => `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`,
  'nested objects': (bytes) => `${'{"":'.repeat(bytes / 5)}0${'}'.repeat(bytes / 5)}`,
  'objects, each of another shape': (bytes) => listed(bytes, 12, (index) => `{"a${index}":0}`),
  'an object of many members': (bytes) => {
    const members = Array.from({ length: bytes / 11 }, (_, index) => `"m${index}":0`);
    return `{${members.join(',')}}`;
  },
  'an object of numbered members': (bytes) => {
    const members = Array.from({ length: bytes / 14 }, (_, index) => `"${(index * 2_654_435_761) >>> 0}":0`);
    return `{${members.join(',')}}`;
  },
  'one long text of escapes': (bytes) => `"${'\\ud83e\\udd89'.repeat(bytes / 12)}"`,
  'one long number': (bytes) => '9'.repeat(bytes),
  'much white space': (bytes) => `[1,${' '.repeat(bytes)}2]`,
};

function repeated(element: string, bytes: number): string {
  return `[${element.repeat(bytes / element.length)}0]`;
}

function listed(bytes: number, each: number, element: (index: number) => string): string {
  return `[${Array.from({ length: bytes / each }, (_, index) => element(index)).join(',')}]`;
}

/** Marks the place of a value in JSON. */
const mark = '"@@here@@"';

/** The example as JSON, once for each value in it, cut in two at that value. */
export function placesOf(example: unknown): { before: string; after: string; place: string }[] {
  return paths(example).map((path) => {
    const [before = '', after = ''] = JSON.stringify(replaced(example, path)).split(mark);
    return { before, after, place: `/${path.join('/')}` };
  });
}

/** Paths to all values, the whole first; of a list only its first element. */
function paths(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  const inner = Array.isArray(value) ? Object.entries(value).slice(0, 1) : Object.entries(value);
  return [[], ...inner.flatMap(([name, member]) => paths(member).map((path) => [name, ...path]))];
}

function replaced(value: unknown, [name, ...rest]: string[]): unknown {
  if (name === undefined) return JSON.parse(mark);
  const copy: Record<string, unknown> = Array.isArray(value)
    ? ([...value] as never)
    : { ...(value as object) };
  copy[name] = replaced(copy[name], rest);
  return copy;
}
