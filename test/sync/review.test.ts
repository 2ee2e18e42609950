import { join } from 'node:path';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { expect, test } from 'vitest';
import { item } from '../support/http/api.ts';
import { keyHolder, newTeam } from '../support/http/key-holder.ts';
import { sharedService } from '../support/service/shared-service.ts';
import { tmsFolder } from '../support/sync/tms-folder.ts';

/** Ten runs of a program, a second each; a loaded machine takes a few times longer. */
const testTimeoutMs = 90_000;
const service = sharedService();

test('a reviewer lists, compares, edits, accepts and declines with tms review, and an agent withdraws', {
  timeout: testTimeoutMs,
}, async () => {
  const clients = await newTeam(service());
  const agentKey = await clients.newKey('team', { member: 'bob', access: 'propose' });
  const agent = keyHolder(service(), clients, agentKey);
  const folderOf = async (name: string, key: string) => {
    const environment = { TMS_URL: service().url, TMS_TEAM: clients.slug, TMS_KEY: key };
    return tmsFolder(join(directory.path, name), { ...environment, EDITOR: 'sed -i s/leaves/departs/' });
  };
  const directory = await temporaryDirectory();
  const reviewer = await folderOf('reviewer', clients.teamKey);
  const proposer = await folderOf('proposer', agentKey);
  const base = item('ferry.md', '# Ferry\n\nThe ferry leaves at nine.\n');
  await clients.team.push(base);
  const frontmatter = { title: 'Mill' };
  await agent.push(
    item('ferry.md', '# Ferry\n\nThe ferry leaves at ten.\n', { base_checksum: base.checksum }),
    item('mill.md', 'It leaves.\n', { frontmatter, frontmatter_text: 'title: Mill\n', base_checksum: null }),
    item('otter.md', 'Otters sleep.\n'),
    item('heron.md', 'Herons fly.\n'),
  );
  const { proposals } = JSON.parse((await reviewer.run('review', '--json')).stdout);
  const ids = Object.fromEntries(
    proposals.map(({ row_key, proposal_id }: Record<string, string>) => [row_key, proposal_id]),
  );
  expect(Object.keys(ids).toSorted()).toEqual(['ferry.md', 'heron.md', 'mill.md', 'otter.md']);

  const shown = await reviewer.run('review', 'show', ids['ferry.md']);
  expect(shown.stdout).toContain('-The ferry leaves at nine.\n+The ferry leaves at ten.');
  expect(shown.stdout).toContain(`stored    ${base.checksum}`);
  // The front matter that others get is shown, whatever the text beside it says, and what nobody sees.
  const { checksum } = item('', '---\ntitle: Mill\n---\nIt \u{e0041}leaves.\n');
  const claimed = { frontmatter_text: 'title: Mill\n', frontmatter: { title: 'Weir' }, checksum };
  await agent.push(item('weir.md', 'It \u{e0041}leaves.\n', claimed));
  const { proposal_id } = JSON.parse((await reviewer.run('review', '--json')).stdout).proposals[0];
  const { stdout } = await reviewer.run('review', 'show', proposal_id);
  expect(stdout).toContain('+title: Weir');
  expect(stdout).toContain('+It ⟨U+E0041⟩leaves.');
  expect(stdout).not.toContain('Mill');
  expect((await proposer.run('review', 'withdraw', proposal_id)).code).toBe(0);
  // What replaced the proposal within a minute begins with the same characters.
  const short = await reviewer.run('review', 'accept', ids['ferry.md']?.slice(0, 12) ?? '');
  expect(short).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('at least the first 13 characters'),
  });
  // As it is, from the beginning of its id, and after a change in the editor.
  const accepted = await reviewer.run('review', 'accept', ids['ferry.md']?.slice(0, 35) ?? '');
  expect(accepted).toMatchObject({ code: 0, stdout: 'ferry.md is stored.\n' });
  expect((await reviewer.run('review', 'accept', ids['mill.md'] ?? '', '--edit')).code).toBe(0);
  const why = ['--reason', 'We know.'];
  expect((await reviewer.run('review', 'decline', ids['otter.md'] ?? '', ...why)).code).toBe(0);
  expect((await proposer.run('review', 'withdraw', ids['heron.md'] ?? '')).code).toBe(0);

  expect((await clients.team.call('/items/ferry.md')).body.content).toContain('leaves at ten');
  expect((await clients.team.call('/items/mill.md')).body).toMatchObject({
    content: 'It departs.\n',
    frontmatter,
    frontmatter_text: 'title: Mill\n',
  });
  const declined = await proposer.run('review', '--state', 'declined');
  expect(declined.stdout).toMatch(/otter\.md .* declined by ada because: We know\.\n$/);
  const again = await reviewer.run('review', 'accept', ids['ferry.md'] ?? '');
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('does not wait any more') });
  expect((await reviewer.run('review')).stdout).toBe('No proposal is waiting.\n');
  await directory.remove();
});
