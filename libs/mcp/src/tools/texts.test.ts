import { beforeEach, expect, test } from 'vitest';
import { checksumOf, itemOf, ListedMemory } from '../memory.fixture.ts';
import { MemoryError } from '../memory.ts';
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
  expect(stored()?.frontmatter_text).toBe('project: "dock"\n');
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

test('a part of a text is changed by what stands there, and everything else stays byte for byte', async () => {
  const frontmatter = { project: 'ship' };
  memory.items = [itemOf('a.md', '- [ ] one\r\n- [ ] two\n', { tier: 'external', frontmatter })];
  const ticked = await push({ replace: { old: '[ ] one', new: '[x] one' } });
  expect(stored()).toMatchObject({ content: '- [x] one\r\n- [ ] two\n', tier: 'external', frontmatter });
  expect(ticked.structuredContent).toEqual({
    row_key: 'a.md',
    checksum: stored()?.checksum,
    tier: 'external',
    created: false,
  });
  await push({ append: 'Three.', base_checksum: stored()?.checksum });
  await push({ append: 'Four.\n' });
  expect(stored()?.content).toBe('- [x] one\r\n- [ ] two\nThree.\nFour.\n');
  await push({ replace: { old: 'Three.\n', new: '' } });
  expect(stored()?.content).toBe('- [x] one\r\n- [ ] two\nFour.\n');
});

test.each([
  ['nowhere', 0],
  ['two', 2],
  ['aa', 2],
  ['-', '100 or more'],
])('%j, which stands in %s places, is not replaced', async (old, count) => {
  memory.items = [itemOf('a.md', `two aaa two ${'-'.repeat(300)}`)];
  await expect(push({ replace: { old, new: 'x' } })).rejects.toThrow(`stands in ${count} places`);
  expect(memory.calls.map(([method]) => method)).toEqual(['getItem']);
});

test('a part is not changed over what somebody else wrote since base_checksum, or meanwhile', async () => {
  memory.items = [itemOf('a.md', 'One.\n')];
  const stale = { append: 'Two.\n', base_checksum: checksumOf('Before.\n') };
  await expect(push(stale)).rejects.toMatchObject({
    code: 'conflict',
    currentChecksum: checksumOf('One.\n'),
  });
  const pushItem = memory.pushItem.bind(memory);
  memory.pushItem = async (item) => {
    memory.items = [itemOf('a.md', 'Somebody else.\n')];
    return pushItem(item);
  };
  await expect(push({ append: 'Two.\n' })).rejects.toMatchObject({ code: 'conflict' });
  expect(stored()?.content).toBe('Somebody else.\n');
});

test('a prepared text to look for takes no longer than another', async () => {
  memory.items = [itemOf('a.md', 'a'.repeat(1_000_000))];
  const half = 'a'.repeat(49_000);
  const startedMs = performance.now();
  await expect(push({ replace: { old: `${half}b${half}`, new: '' } })).rejects.toThrow('in 0 places');
  // By comparing at every place it takes minutes.
  expect(performance.now() - startedMs).toBeLessThan(5_000);
});

test.each([
  [{}, /exactly one of content, append, replace, move_to, remove/],
  [{ append: 'a', content: 'b', base_checksum: null }, /exactly one/],
  [{ content: 'b' }, /content needs base_checksum: null/],
  [{ append: 'b', base_checksum: null }, /needs content/],
  [{ remove: true, base_checksum: null }, /needs content/],
])('%j says no single thing to do, and nothing is read or written', async (given, problem) => {
  memory.items = [itemOf('a.md', 'One.\n')];
  await expect(push(given)).rejects.toThrow(problem);
  expect(memory.calls).toEqual([]);
});

test('no part makes front matter of a text', async () => {
  memory.items = [itemOf('a.md', 'One.\n')];
  const replace = { old: 'One.', new: '---\naudience: team\n---' };
  await expect(push({ replace })).rejects.toThrow(/argument frontmatter/);
});

test('an item is removed in the version that was read, and not in another', async () => {
  memory.items = [itemOf('a.md', 'One.\n')];
  const stale = { remove: true, base_checksum: checksumOf('Before.\n') };
  await expect(push(stale)).rejects.toMatchObject({ code: 'conflict' });
  expect((await push({ remove: true })).structuredContent).toMatchObject({ checksum: null });
  expect(memory.items).toEqual([]);
  await expect(push({ remove: true })).rejects.toMatchObject({ code: 'not_found' });
});

test('an item moves with its tier and front matter, and never onto another one or itself', async () => {
  const frontmatter = { project: 'ship' };
  memory.items = [itemOf('a.md', 'One.\n', { tier: 'external', frontmatter }), itemOf('b.md', 'One.\n')];
  for (const move_to of ['b.md', 'a.md', `decisions/${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}`]) {
    await expect(push({ move_to })).rejects.toThrow(/choose another/);
  }
  expect(memory.items).toHaveLength(2);
  await push({ move_to: 'c.md' });
  expect(stored()).toBeUndefined();
  expect(memory.items.at(-1)).toMatchObject({
    row_key: 'c.md',
    content: 'One.\n',
    tier: 'external',
    frontmatter,
  });
});

test('a move whose removal is refused leaves everything as it was, and one that may have happened loses nothing', async () => {
  memory.items = [itemOf('a.md', 'One.\n')];
  const removeItem = memory.removeItem.bind(memory);
  let code = 'forbidden_access';
  memory.removeItem = async (version) => {
    if (version.row_key === 'a.md') throw new MemoryError(code, 'No.');
    return removeItem(version);
  };
  await expect(push({ move_to: 'b.md' })).rejects.toMatchObject({ code });
  expect(memory.items.map(({ row_key }) => row_key)).toEqual(['a.md']);
  code = 'unavailable';
  await expect(push({ move_to: 'b.md' })).rejects.toThrow(/stored as "b.md" now, and may be left as "a.md"/);
  expect(memory.items.map(({ row_key }) => row_key)).toEqual(['a.md', 'b.md']);
});

test('front matter may have any keys', async () => {
  const frontmatter = JSON.parse('{ "$where": 1, "a.b": 2, "__proto__": { "c": 3 } }');
  await push({ content: 'One.\n', base_checksum: null, frontmatter });
  expect(JSON.stringify(stored()?.frontmatter)).toBe(JSON.stringify(frontmatter));
});

test('front matter alone is changed, taken away and kept, and each time what is stored tells of it', async () => {
  // As the service does, the memory takes the same checksum and tier for no change.
  memory.items = [itemOf('a.md', 'One.\n')];
  const change = async (frontmatter: object, rest: object = { content: 'One.\n' }) => {
    const { checksum } = stored() ?? {};
    const { structuredContent, content } = await push({ ...rest, base_checksum: checksum, frontmatter });
    expect(stored()).toMatchObject({ content: 'One.\n', frontmatter });
    expect(stored()?.checksum).not.toBe(checksum);
    expect(structuredContent).toMatchObject({ checksum: stored()?.checksum });
    return JSON.stringify(content);
  };
  const [ship, dock] = [{ project: 'ship', 'a b': [1], true: '\u2028"' }, { project: 'dock' }];
  expect(await change(ship)).toContain('Replaced');
  expect(await change(dock, { replace: { old: 'One.', new: 'One.' } })).toContain('Changed');
  await push({ append: 'Two.\n' });
  await push({ replace: { old: 'Two.\n', new: '' } });
  expect(stored()).toMatchObject({ content: 'One.\n', frontmatter: dock });
  await change({});
  // An item that was pushed as data alone: its checksum is of the content.
  memory.items = [itemOf('a.md', 'One.\n', { frontmatter: ship })];
  await change({});
});

test('what is sent again with its front matter is no conflict, and is told to change nothing', async () => {
  memory.items = [itemOf('a.md', 'One.\n')];
  const edit = {
    content: 'Two.\n',
    base_checksum: checksumOf('One.\n'),
    frontmatter: { b: 1, project: 'ship' },
  };
  await push(edit);
  const again = await push({ ...edit, frontmatter: { project: 'ship', b: 1 } });
  expect(JSON.stringify(again.content)).toContain('Unchanged');
  expect(stored()?.checksum).toBe(checksumOf('---\nb: 1\nproject: "ship"\n---\nTwo.\n'));
});

test('the fields of a decision are not said to be changed by this tool', async () => {
  const row_key = 'decisions/00000000-0000-4000-8000-000000000000';
  for (const given of [{ frontmatter: {} }, { tier: 'team' }]) {
    await expect(push({ row_key, append: 'x', ...given })).rejects.toThrow(/neither tier nor frontmatter/);
  }
  expect(memory.calls).toEqual([]);
});

test('a key for its own items publishes no copy of what another member wrote', async () => {
  memory.holder = { ...memory.holder, access: 'own' };
  memory.items = [itemOf('a.md', 'One.\n', { updated_by: 'bob' })];
  await expect(push({ move_to: 'b.md', tier: 'external' })).rejects.toMatchObject({
    code: 'forbidden_access',
  });
  expect(memory.calls.map(([method]) => method)).toEqual(['getItem']);
});

test('a move onto what another member makes meanwhile removes neither, though the texts are the same', async () => {
  memory.items = [itemOf('a.md', 'One.\n')];
  const pushItem = memory.pushItem.bind(memory);
  memory.pushItem = async (item) => {
    memory.items.push(itemOf('b.md', 'One.\n', { updated_by: 'bob' }));
    return pushItem(item);
  };
  await expect(push({ move_to: 'b.md' })).rejects.toMatchObject({ code: 'conflict' });
  expect(memory.items.map(({ row_key, updated_by }) => [row_key, updated_by])).toEqual([
    ['a.md', 'ada'],
    ['b.md', 'bob'],
  ]);
});

test('a move that is refused takes back only its own copy, not what was written over it', async () => {
  memory.items = [itemOf('a.md', 'One.\n')];
  const removeItem = memory.removeItem.bind(memory);
  memory.removeItem = async (version) => {
    if (version.row_key !== 'a.md') return removeItem(version);
    memory.items = [
      itemOf('a.md', 'Edited.\n'),
      itemOf('b.md', 'One.\n', { updated_at: '2026-11-21T07:00:00.000Z' }),
    ];
    throw new MemoryError('conflict', 'It has changed.');
  };
  await expect(push({ move_to: 'b.md' })).rejects.toMatchObject({ code: 'conflict' });
  expect(memory.items.map(({ row_key }) => row_key)).toEqual(['a.md', 'b.md']);
  expect(memory.calls.filter(([method]) => method === 'removeItem')).toEqual([]);
});
