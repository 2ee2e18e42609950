import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, test } from 'vitest';
import { item } from '../support/http/api.ts';
import { keyHolder, newTeam, type TeamClients } from '../support/http/key-holder.ts';
import { connectAgent } from '../support/mcp/agent.ts';
import { asKey, postMessage, toolCall } from '../support/mcp/raw-message.ts';
import { asAdministrator } from '../support/service/as-administrator.ts';
import { sharedService } from '../support/service/shared-service.ts';

// The tool push changes parts, moves and removes. None of its ways may do, or tell, more than the same key may over
// /api/v1.

const service = sharedService();
const secret = item('secret.md', '# Vault\n\nThe code is 4711.\n');
const shared = item('shared.md', '# Ferry\n\nIt leaves at nine.\n', { tier: 'external' });

/** Every way to write, for an item that has the words of both. */
const ways = (row_key: string) => [
  { row_key, append: 'Obey.' },
  { row_key, replace: { old: 'e', new: 'E' } },
  { row_key, replace: { old: 'nine', new: 'ten' } },
  { row_key, replace: { old: 'The code is 4711', new: 'x' } },
  { row_key, move_to: `mine/${row_key}` },
  { row_key, remove: true },
  { row_key, content: 'x', base_checksum: null },
  { row_key, content: 'x', base_checksum: shared.checksum },
  { row_key, append: 'x', base_checksum: secret.checksum },
  { row_key, remove: true, base_checksum: secret.checksum },
  { row_key, append: 'x', tier: 'external' },
];

async function contents({ team }: TeamClients): Promise<Record<string, string>> {
  const rows = await team.rows();
  return Object.fromEntries(rows.map(({ row_key, content, tier }) => [row_key, `${tier} ${content}`]));
}

async function teamWithNotes(): Promise<TeamClients> {
  const clients = await newTeam(service());
  expect((await clients.team.push(secret, shared)).body).toMatchObject({ rejected: 0 });
  return clients;
}

test('a stranger, a key that only reads, that of another team and a revoked one change nothing by any way', async () => {
  const clients = await teamWithNotes();
  const bystander = await teamWithNotes();
  const revoked = await clients.newKey('team');
  await asAdministrator(service(), (admin) => admin.revokeKey(revoked.split('_')[1] ?? ''));
  await eventually('the key is refused', async () => {
    return (await keyHolder(service(), clients, revoked).pull()).status === 401;
  });
  for (const row_key of ['secret.md', 'shared.md']) {
    for (const given of ways(row_key)) {
      for (const [key, statuses] of [
        [undefined, [401]],
        [revoked, [401]],
        [bystander.teamKey, [403]],
        [clients.readKey, [200]],
      ] as const) {
        const headers = key === undefined ? { 'x-svc-team': clients.slug } : asKey(key, clients.slug);
        const answer = await postMessage(service(), toolCall('push', given), { headers });
        expect(statuses, JSON.stringify(given)).toContain(answer.status);
        if (answer.status === 200) expect(answer.messages[0].result.isError).toBe(true);
        expect(answer.text).not.toContain('4711');
      }
    }
  }
  const before = { 'secret.md': `team ${secret.content}`, 'shared.md': `external ${shared.content}` };
  expect(await contents(clients)).toEqual(before);
  expect(await contents(bystander)).toEqual(before);
});

test("a key with access to its own items neither changes, moves nor removes another member's, and leaves no copy", async () => {
  const clients = await teamWithNotes();
  const before = await contents(clients);
  const bob = await connectAgent(
    service(),
    clients,
    await clients.newKey('team', { member: 'bob', access: 'own' }),
  );
  for (const row_key of ['secret.md', 'shared.md']) {
    for (const given of ways(row_key)) expect((await bob.call('push', given)).isError).toBe(true);
  }
  expect(await contents(clients)).toEqual(before);
  // Not even for a moment: a tombstone would tell of a copy.
  const ever = await clients.team.rows('?include_deleted=true');
  expect(ever.map(({ row_key }) => row_key).sort()).toEqual(Object.keys(before).sort());
  for (const given of [
    { row_key: 'bob.md', content: 'One.\n', base_checksum: null },
    { row_key: 'bob.md', append: 'Two.\n' },
    { row_key: 'bob.md', replace: { old: 'One', new: '1' } },
    { row_key: 'bob.md', move_to: 'moved.md' },
  ]) {
    expect(await bob.call('push', given)).toMatchObject({ isError: false });
  }
  expect(await contents(clients)).toEqual({ ...before, 'moved.md': 'team 1.\nTwo.\n' });
  expect((await bob.call('push', { row_key: 'moved.md', remove: true })).isError).toBe(false);
  expect(await contents(clients)).toEqual(before);
});

test('to a guest a hidden item answers every way to write as one that never was, but for the name that is taken', async () => {
  const clients = await teamWithNotes();
  const before = await contents(clients);
  const key = await clients.newKey('external', { member: 'gil', access: 'own' });
  const guest = await connectAgent(service(), clients, key);
  const hidden = ways('secret.md');
  for (const [index, given] of ways('absent.md').entries()) {
    // To create it tells that the name is taken, as POST /items does.
    if ('base_checksum' in given && given.base_checksum === null) continue;
    const [one, other] = [await guest.call('push', hidden[index]), await guest.call('push', given)];
    expect(one.isError).toBe(true);
    expect(one).toEqual(other);
  }
  for (const given of ways('shared.md')) expect((await guest.call('push', given)).isError).toBe(true);
  expect(await contents(clients)).toEqual(before);
});

test('two agents that change parts of one item at once lose nothing: the second is told, or both are there', async () => {
  const clients = await teamWithNotes();
  const lines = Array.from({ length: 8 }, (_, index) => `Line ${index}.`);
  const agent = await connectAgent(service(), clients, clients.teamKey);
  const results = await Promise.all(
    lines.map((append) => agent.call('push', { row_key: 'shared.md', append: `${append}\n` })),
  );
  const { content } = (await clients.team.call('/items/shared.md')).body;
  for (const [index, { isError, text }] of results.entries()) {
    expect(content.includes(`${lines[index]}`)).toBe(!isError);
    if (isError) expect(text).toMatch(/^conflict: /);
  }
  expect(results.some(({ isError }) => !isError)).toBe(true);
});

test('front matter that an agent changes is stored, and what a file had else stays byte for byte', async () => {
  const clients = await teamWithNotes();
  const file = '---\nproject: ship # the old one\n---\n# Quay\n';
  const quay = {
    ...item('quay.md', '# Quay\n', {
      frontmatter: { project: 'ship' },
      frontmatter_text: 'project: ship # the old one\n',
    }),
    checksum: item('', file).checksum,
  };
  await clients.team.push(quay);
  const agent = await connectAgent(service(), clients, clients.teamKey);
  const stored = async () => (await clients.team.call('/items/quay.md')).body;
  const push = (given: object) => agent.call('push', { row_key: 'quay.md', ...given });
  expect((await push({ append: 'Open.\n' })).isError).toBe(false);
  expect(await stored()).toMatchObject({
    frontmatter_text: 'project: ship # the old one\n',
    checksum: item('', `${file}Open.\n`).checksum,
  });
  for (const frontmatter of [{ project: 'dock', audience: 'team' }, {}]) {
    const { content, checksum } = await stored();
    const answer = await push({ content, base_checksum: checksum, frontmatter });
    expect([answer.isError, answer.text]).toEqual([false, expect.stringMatching(/^Replaced/)]);
    expect(await stored()).toMatchObject({ content: '# Quay\nOpen.\n', frontmatter });
    const again = await push({ content, base_checksum: checksum, frontmatter });
    expect([again.isError, again.text]).toEqual([false, expect.stringMatching(/^Unchanged/)]);
  }
  expect((await push({ append: 'x', frontmatter: { audience: 'private' } })).text).toMatch(/^admin_tier/);
});
