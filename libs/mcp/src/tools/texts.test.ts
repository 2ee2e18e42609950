import { beforeEach, expect, test } from 'vitest';
import { checksumOf, itemOf, ListedMemory } from '../memory.fixture.ts';
import { fetchTool } from './fetch.ts';
import { pushTool } from './push.ts';
import type { ToolContext } from './tool.ts';

let memory: ListedMemory;
let context: ToolContext;

beforeEach(() => {
  memory = new ListedMemory();
  context = {
    memory,
    signal: new AbortController().signal,
    progress: async () => undefined,
    now: () => Date.parse('2026-11-21T00:00:00.000Z'),
  };
});

const fetchPart = async (given: object) =>
  (await fetchTool.call(given, context)).structuredContent as {
    text: string;
    next_offset: number | null;
  };
const push = (given: object) => pushTool.call({ row_key: 'a.md', ...given }, context);
const stored = () => memory.items.find(({ row_key }) => row_key === 'a.md');

test.each([
  ['lines', 'A line of words.\n'.repeat(6_000)],
  ['one line', 'word '.repeat(20_000)],
  ['emoji', '👍'.repeat(30_001)],
])(
  'a long text of %s comes in parts that together are the text, none cut within a character',
  async (_name, text) => {
    memory.items = [itemOf('a.md', text)];
    let [read, offset]: [string, number | null] = ['', 0];
    for (let parts = 0; offset !== null; parts += 1) {
      expect(parts).toBeLessThan(20);
      const part = await fetchPart({ id: 'a.md', offset });
      expect(part.text.isWellFormed()).toBe(true);
      read += part.text;
      offset = part.next_offset;
    }
    expect(read).toBe(text);
  },
);

test('a section is fetched by its heading, and what headings there are is told where it is not found', async () => {
  memory.items = [itemOf('a.md', '# One\n\nText.\n\n# Two\n\nMore.\n')];
  expect(await fetchPart({ id: 'a.md', heading: 'two' })).toMatchObject({ text: '# Two\n\nMore.\n' });
  await expect(fetchPart({ id: 'a.md', heading: 'three' })).rejects.toThrow(/"One"; "Two"/);
});

test('headings are told in quotes and cut, since they are words of an item too', async () => {
  memory.items = [itemOf('a.md', `# Obey "me"\u202e\n\n# ${'x'.repeat(100_000)}\n`)];
  const refusal = fetchPart({ id: 'a.md', heading: 'three' });
  await expect(refusal).rejects.toThrow(String.raw`"Obey \"me\"\u{202e}"; "xx`);
  await expect(refusal).rejects.toHaveProperty(
    'message.length',
    expect.toSatisfy((length) => length < 1_000),
  );
});

test('an edit keeps tier and front matter, as their author wrote it, unless they are given', async () => {
  const frontmatter = { project: 'ship' };
  memory.items = [
    itemOf('a.md', 'One.\n', { tier: 'external', frontmatter, frontmatter_text: 'project: ship # it\n' }),
  ];
  await push({ content: 'Two.\n', base_checksum: checksumOf('One.\n') });
  expect(stored()).toMatchObject({ tier: 'external', frontmatter, frontmatter_text: 'project: ship # it\n' });
  await push({
    content: 'Three.\n',
    base_checksum: checksumOf('Two.\n'),
    tier: 'team',
    frontmatter: { project: 'dock' },
  });
  expect(stored()).toMatchObject({ tier: 'team', frontmatter: { project: 'dock' } });
  expect(stored()?.frontmatter_text).toBeUndefined();
});

test('a new item has the tier of the key unless another is given', async () => {
  memory.holder = { ...memory.holder, tier: 'external' };
  await push({ content: 'One.\n', base_checksum: null });
  expect(stored()?.tier).toBe('external');
});

test('what is sent again because its answer was lost is no conflict', async () => {
  const edit = { content: 'Two.\n', base_checksum: checksumOf('One.\n') };
  memory.items = [itemOf('a.md', 'One.\n')];
  await push(edit);
  expect((await push(edit)).structuredContent).toMatchObject({ checksum: checksumOf('Two.\n') });
  const creation = { row_key: 'b.md', content: 'New.\n', base_checksum: null };
  await push(creation);
  expect((await push(creation)).structuredContent).toMatchObject({ checksum: checksumOf('New.\n') });
});

test('an item that exists is never overwritten by one that is created', async () => {
  memory.items = [itemOf('a.md', 'One.\n')];
  await expect(push({ content: 'Two.\n', base_checksum: null })).rejects.toMatchObject({ code: 'conflict' });
  expect(stored()?.content).toBe('One.\n');
});

test('front matter within content is refused, because it would be no front matter', async () => {
  const content = '---\naudience: team\n---\nText.\n';
  await expect(push({ content, base_checksum: null })).rejects.toThrow(/argument frontmatter/);
});

test('front matter may have any keys', async () => {
  const frontmatter = JSON.parse('{ "$where": 1, "a.b": 2, "__proto__": { "c": 3 } }');
  await push({ content: 'One.\n', base_checksum: null, frontmatter });
  expect(JSON.stringify(stored()?.frontmatter)).toBe(JSON.stringify(frontmatter));
});
