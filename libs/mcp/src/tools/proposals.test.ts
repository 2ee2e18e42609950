import { beforeEach, expect, test } from 'vitest';
import { checksumOf, itemOf, ListedMemory, proposalOf } from '../memory.fixture.ts';
import type { NewItem } from '../memory.ts';
import { changesTool } from './changes.ts';
import { pushTool } from './push.ts';
import type { ToolContext } from './tool.ts';

let memory: ListedMemory;
let context: ToolContext;

beforeEach(() => {
  memory = new ListedMemory();
  memory.holder = { team: 'blue', member: 'ada', tier: 'team', access: 'propose' };
  context = {
    memory,
    signal: new AbortController().signal,
    progress: async () => undefined,
    now: () => Date.parse('2026-11-21T12:00:00.000Z'),
  };
});

const push = (given: object) => pushTool.call({ row_key: 'a.md', ...given }, context);
const changes = async (given: object = {}) => {
  const { content, structuredContent } = await changesTool.call(given, context);
  const [block] = content;
  // biome-ignore lint/suspicious/noExplicitAny: of no declared shape
  return { text: block?.type === 'text' ? block.text : '', data: structuredContent as any };
};
const newItem = (row_key: string, content = 'x'): NewItem => ({
  row_key,
  content,
  frontmatter: {},
  tier: 'team',
  checksum: checksumOf(content),
  base_checksum: null,
});
const decided = (row_key: string, at: string, more: object = {}) =>
  proposalOf(newItem(row_key, at), {
    state: 'accepted',
    decided_by: 'grace',
    decided_at: at,
    item: null,
    ...more,
  });

test('what a key that only proposes pushes is told to wait for a reviewer', async () => {
  const { content, structuredContent } = await push({ content: 'One.\n', base_checksum: null });
  expect(structuredContent).toMatchObject({ row_key: 'a.md', created: false, proposed: true });
  expect(content[0]).toMatchObject({ text: expect.stringMatching(/^Proposed "a\.md".*until a reviewer/) });
  expect(memory.items).toEqual([]);
});

test('a part adds to what waits already, stored or not, and nothing that waits is lost', async () => {
  await push({ content: 'One.\n', base_checksum: null });
  await push({ append: 'Two.\n' });
  const { structuredContent } = await push({ replace: { old: 'One', new: 'Once' } });
  expect(memory.proposals).toMatchObject([{ item: { content: 'Once.\nTwo.\n', base_checksum: null } }]);
  await push({ append: 'Three.\n', base_checksum: (structuredContent as { checksum: string }).checksum });
  expect(memory.proposals).toMatchObject([{ item: { content: 'Once.\nTwo.\nThree.\n' } }]);

  memory.items = [itemOf('b.md', 'One.\n')];
  await push({ row_key: 'b.md', append: 'Two.\n' });
  await push({ row_key: 'b.md', append: 'Three.\n' });
  const [proposal] = memory.proposals;
  expect(proposal?.item).toMatchObject({
    content: 'One.\nTwo.\nThree.\n',
    base_checksum: checksumOf('One.\n'),
  });
});

test('a part is refused where what waits was made from another version than is stored now', async () => {
  memory.items = [itemOf('a.md', 'One.\n')];
  await push({ append: 'Two.\n' });
  memory.items = [itemOf('a.md', 'Changed.\n')];
  await expect(push({ append: 'Three.\n' })).rejects.toMatchObject({
    code: 'conflict',
    currentChecksum: checksumOf('Changed.\n'),
  });
  await push({ content: 'Whole.\n', base_checksum: checksumOf('Changed.\n') });
  expect(memory.proposals).toMatchObject([{ item: { content: 'Whole.\n' } }]);
});

test('the waiting proposal of another member is not added to', async () => {
  memory.items = [itemOf('a.md', 'One.\n')];
  memory.proposals = [proposalOf(newItem('a.md', 'Of bob.'), { proposed_by: 'bob' })];
  await push({ append: 'Two.\n' });
  expect(memory.proposals[0]?.item?.content).toBe('One.\nTwo.\n');
});

test('nothing is moved or removed with a key that only proposes', async () => {
  memory.items = [itemOf('a.md', 'One.\n')];
  for (const way of [{ remove: true }, { move_to: 'b.md' }]) {
    await expect(push(way)).rejects.toMatchObject({ code: 'forbidden_access' });
  }
  expect(memory.calls.filter(([method]) => /push|remove/.test(method))).toEqual([]);
});

test('changes tells what became of proposals, each once, and why', async () => {
  memory.proposals = [
    proposalOf(newItem('waits.md')),
    decided('b.md', '2026-11-20T09:00:00.000Z', { state: 'declined', reason: 'We "know".' }),
    decided('a.md', '2026-11-19T09:00:00.000Z', { edited: true }),
    decided('old.md', '2026-11-01T09:00:00.000Z'),
  ];
  const first = await changes();
  expect(first.data.proposals).toMatchObject([
    { row_key: 'a.md', state: 'accepted', edited: true, decided_by: 'grace' },
    { row_key: 'b.md', state: 'declined', reason: 'We "know".' },
  ]);
  expect(first.text).toContain('2026-11-19T09:00:00.000Z accepted with changes: "a.md" by "grace"');
  expect(first.text).toContain(
    String.raw`2026-11-20T09:00:00.000Z declined: "b.md" by "grace" because "We \"know\"."`,
  );
  memory.proposals.unshift(decided('c.md', '2026-11-21T09:00:00.000Z'));
  const next = await changes({ cursor: first.data.next_cursor });
  expect(next.data.proposals).toMatchObject([{ row_key: 'c.md' }]);
  expect((await changes({ cursor: next.data.next_cursor })).data.proposals).toEqual([]);
});

test('pages of proposals end where limit says, and go on from there', async () => {
  const days = ['15', '16', '17', '18', '19'];
  memory.proposals = days.map((day) => decided(`${day}.md`, `2026-11-${day}T09:00:00.000Z`)).toReversed();
  const read: string[] = [];
  let cursor: string | undefined;
  for (let more = true; more; ) {
    const { data } = await changes({ limit: 2, ...(cursor !== undefined && { cursor }) });
    read.push(...data.proposals.map(({ row_key }: { row_key: string }) => row_key));
    [cursor, more] = [data.next_cursor, data.has_more];
  }
  expect(read).toEqual(days.map((day) => `${day}.md`));
});

test('proposals are told to no other key and in no single list, and a cursor that is none is refused', async () => {
  memory.proposals = [decided('a.md', '2026-11-20T09:00:00.000Z')];
  expect((await changes({ list: 'items' })).data).not.toHaveProperty('proposals');
  const { next_cursor: cursor } = (await changes()).data;
  await expect(changes({ cursor: 'proposals:x' })).rejects.toMatchObject({ code: 'invalid_cursor' });
  memory.holder = { ...memory.holder, access: 'write' };
  for (const given of [{}, { cursor }]) {
    expect((await changes(given)).data).not.toHaveProperty('proposals');
  }
  expect(memory.calls.filter(([method]) => method === 'listProposals')).toHaveLength(1);
});
