import type { SeededRandom } from '@teammemory/testkit/seeded-random.ts';
import { item } from './api.ts';

/** Values that belong nowhere, as JSON. */
const oddValues = [
  ...['null', 'true', '0', '-0', '1e999', '-1e999', '1e-999', '9007199254740993', '""', '[]', '{}', '[[]]'],
  ...[
    '"\\ud800"',
    '"\\udfff\\ud800"',
    '"\\u0000"',
    '"\\u202e"',
    '"\\ufeff"',
    '"../../etc/passwd"',
    '"$where"',
  ],
  ...[
    '{"__proto__":{"x":1}}',
    '{"constructor":{"prototype":{}}}',
    '{"$gt":""}',
    '{"toString":1}',
    '{"a":1,"a":2}',
  ],
  `"${'x'.repeat(5_000)}"`,
  '9'.repeat(5_000),
];
const deepLevels = 30_000;
const deep = (open: string, close: string) => open.repeat(deepLevels) + close.repeat(deepLevels);

type Mutation = (json: string, random: SeededRandom) => string | Buffer;

const mutations: readonly Mutation[] = [
  // Members of a wrong type, missing, twice or with names that are properties of every object.
  (json, random) => replaceValue(json, random, random.pick(oddValues)),
  (json, random) => replaceValue(json, random, random.pick(oddValues)),
  (json, random) => json.replace(/"(\w+)":/, (name) => `${name}${random.pick(oddValues)},${name}`),
  (json, random) =>
    json.replace(/"\w+":/, `"${random.pick(['__proto__', 'constructor', '', 'q', 'items'])}":`),
  (json, random) => replaceValue(json, random, deep('[', ']')),
  (json, random) => replaceValue(json, random, `${'{"a":'.repeat(deepLevels)}1${'}'.repeat(deepLevels)}`),
  (json, random) => replaceValue(json, random, `[${'null,'.repeat(random.integerBelow(20_000))}null]`),
  // What is not JSON.
  (json, random) => json.slice(0, random.integerBelow(json.length)),
  (json, random) => splice(json, random, random.pick([',', '"', '{', '\u0000', '\\u12', 'NaN', '//', "'"])),
  (_, random) =>
    random.pick(['', ' ', 'null', '[]', '""', '0', deep('[', ''), '[1,]', '{"a"}', '\ufeff', '{}{}']),
  (json) => Buffer.from(json, 'utf16le'),
  // What is not UTF-8: a byte changed anywhere, a character cut in half.
  (json, random) => {
    const bytes = Buffer.from(json);
    bytes[random.integerBelow(bytes.length)] = random.integerBelow(256);
    return bytes;
  },
  (json, random) => {
    const bytes = Buffer.from(replaceValue(json, random, '"\u{1f989}"'));
    const cut = bytes.indexOf(0xf0);
    return cut < 0 ? bytes : Buffer.concat([bytes.subarray(0, cut + 1), bytes.subarray(cut + 3)]);
  },
];

/** A body of POST /items that is damaged in one or two ways; it may still be a good one. */
export function malformedPush(random: SeededRandom, name: string): string | Buffer {
  const count = 1 + random.integerBelow(3);
  const items = Array.from({ length: count }, (_, index) =>
    item(`${name}-${index}.md`, `# ${name}\n`, { frontmatter: { title: name, tags: ['a', { b: 1 }] } }),
  );
  return mutate(JSON.stringify({ items }), random);
}

/** The same of POST /query. */
export function malformedQuestion(random: SeededRandom, name: string): string | Buffer {
  return mutate(JSON.stringify({ q: `What is ${name}?` }), random);
}

/** Any other body, damaged in the same ways. */
export function malformed(body: unknown, random: SeededRandom): string | Buffer {
  return mutate(JSON.stringify(body), random);
}

function mutate(json: string, random: SeededRandom): string | Buffer {
  const once = random.pick(mutations)(json, random);
  if (typeof once !== 'string' || once === '' || random.chance(0.7)) return once;
  return random.pick(mutations)(once, random);
}

/** Puts another value in the place of one that stands after a colon or in brackets. */
function replaceValue(json: string, random: SeededRandom, value: string): string {
  const places = [...json.matchAll(/(?<=[:[,])("(?:[^"\\]|\\.)*"|\d+|true|null)(?=[,\]}])/g)];
  if (places.length === 0) return value;
  const { index, 0: old } = random.pick(places);
  return json.slice(0, index) + value + json.slice(index + old.length);
}

function splice(json: string, random: SeededRandom, text: string): string {
  const place = random.integerBelow(json.length);
  return json.slice(0, place) + text + json.slice(place);
}
