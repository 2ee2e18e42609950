import { expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { openSession } from './support/http/browser-session.ts';
import { newTeam } from './support/http/key-holder.ts';
import { sendMessage, toolCall } from './support/http/mcp.ts';
import { problem } from './support/http/problem.ts';
import { exchange } from './support/rpc/caller-tokens.ts';
import { describeEachService } from './support/service/shared-service.ts';

const open = { tier: 'external' };
const at = (rowKey: string, rest = '') => `/items/${encodeURIComponent(rowKey)}${rest}`;

describeEachService('one item and its versions', (service) => {
  test('an item is as the list has it, to each key', async () => {
    const { team, external } = await newTeam(service());
    const frontmatter = { ver: 1.1 };
    await team.push(item('a.md', 'one', { ...open, frontmatter, frontmatter_text: 'ver: 1.10' }));
    for (const reader of [team, external]) {
      const { status, body } = await reader.call(at('a.md'));
      expect([status, body]).toEqual([200, (await reader.rows())[0]]);
    }
  });

  test('what is absent, removed or not visible is one answer but for its request id', async () => {
    const { team, external } = await newTeam(service());
    await team.push(item('internal.md'), item('gone.md', 'x', open), item('hidden.md', 'x', open));
    await team.push(item('hidden.md', 'x'));
    await team.remove('gone.md');
    const paths = ['absent.md', 'internal.md', 'gone.md', 'hidden.md'].flatMap((name) =>
      ['', '/versions', '/versions/1'].map((rest) => at(name, rest)),
    );
    const answers = await Promise.all(paths.map((path) => external.call(path)));
    for (const { status, headers, body } of answers) {
      expect({ status, body }).toEqual({ status: 404, body: problem('not_found') });
      expect(JSON.stringify({ ...body, request_id: '' })).toBe(
        JSON.stringify({ ...answers[0]?.body, request_id: '' }),
      );
      expect([...headers.keys()]).toEqual([...(answers[0]?.headers.keys() ?? [])]);
    }
    expect((await team.call(at('gone.md'))).status).toBe(404);
  });

  test('the versions of an item are listed newest first and read whole', async () => {
    const { team } = await newTeam(service());
    for (const text of ['one', 'two']) await team.push(item('a.md', text, { frontmatter_text: text }));
    await team.remove('a.md');
    await team.push(item('a.md', 'three'));
    const { body } = await team.call(at('a.md', '/versions'));
    expect(body).toMatchObject({ next_cursor: null, has_more: false });
    const told = ['revision', 'checksum', 'tier', 'updated_at', 'updated_by'];
    expect(body.versions.map((version: object) => Object.keys(version))).toEqual([
      [...told, 'written_with'],
      [...told, 'deleted', 'written_with'],
      [...told, 'written_with'],
      [...told, 'written_with'],
    ]);
    const wholes = await Promise.all(
      body.versions.map(({ revision }: { revision: number }) =>
        team.call(at('a.md', `/versions/${revision}`)),
      ),
    );
    expect(wholes.map(({ body: whole }) => whole.content)).toEqual(['three', undefined, 'two', 'one']);
    expect(wholes.map(({ body: whole }) => whole.frontmatter_text)).toEqual([
      undefined,
      undefined,
      'two',
      'one',
    ]);
    expect(wholes[1]?.body).toEqual(body.versions[1]);
    const first = (await team.call(at('a.md', '/versions?limit=3'))).body;
    const rest = (await team.call(at('a.md', `/versions?limit=3&cursor=${first.next_cursor}`))).body;
    expect([...first.versions, ...rest.versions]).toEqual(body.versions);
    expect([first.has_more, rest.has_more, rest.next_cursor]).toEqual([true, false, null]);
  });

  test('a version tells the team, and no guest, with which key and program it was written', async () => {
    const clients = await newTeam(service());
    const { team, external } = clients;
    const body = (content: string) => ({ items: [item('a.md', content, open)] });
    const as = (client: string) => ({ headers: { 'x-svc-client': client } });
    await external.call('/items', { body: body('1'), ...as('sync') });
    await team.call('/items', { body: body('2'), ...as('browser') });
    const session = await openSession(service(), { key: clients.teamKey });
    await session.send('/api/v1/items', { body: body('3'), headers: { 'x-svc-team': clients.slug } });
    const given = { row_key: 'a.md', content: '4', base_checksum: item('a.md', '3').checksum };
    await sendMessage(service(), clients, clients.teamKey, toolCall('push', given));
    await team.call(at('a.md'), { method: 'DELETE', ...as('tms') });
    const { versions } = (await team.call(at('a.md', '/versions'))).body;
    const [ofTeam, ofGuest] = [clients.teamKey, clients.externalKey].map((key) => key.split('_')[1]);
    expect(versions.map(({ written_with }: { written_with: object }) => written_with)).toEqual([
      { key_id: ofTeam, client: 'tms' },
      { key_id: ofTeam, client: 'mcp:test' },
      { key_id: ofTeam, client: 'browser' },
      { key_id: ofTeam },
      { key_id: ofGuest, client: 'sync' },
    ]);
    await team.push(item('b.md', 'x', open));
    const seen = (await external.call(at('b.md', '/versions'))).body;
    const whole = await external.call(at('b.md', `/versions/${seen.versions[0].revision}`));
    for (const answer of [seen, whole.body]) {
      expect(JSON.stringify(answer)).not.toMatch(/written_with|key_id|client/);
      expect(JSON.stringify(answer)).not.toContain(ofTeam);
    }
  });

  test('whoever calls a service directly is not believed about the program', async () => {
    const { team, teamKey } = await newTeam(service());
    await team.push(item('a.md'));
    const answer = await fetch(`${service().rpcUrl}/teammemory.content.v1.ContentService/DeleteItem`, {
      method: 'POST',
      headers: {
        authorization: await exchange(service(), teamKey),
        'content-type': 'application/json',
        'x-client-name': 'browser',
      },
      body: JSON.stringify({ rowKey: 'a.md' }),
    });
    expect(answer.status).toBe(200);
    const [removal] = (await team.call(at('a.md', '/versions'))).body.versions;
    expect(removal).toMatchObject({ deleted: true });
    expect(removal.written_with).toEqual({ key_id: teamKey.split('_')[1] });
  });

  test('a cursor of versions is good for the versions of that item alone', async () => {
    const { team } = await newTeam(service());
    for (const text of ['one', 'two']) await team.push(item('a.md', text), item('b.md', text));
    const { next_cursor } = (await team.call(at('a.md', '/versions?limit=1'))).body;
    for (const path of [at('b.md', '/versions?'), '/items?', '/tasks?']) {
      const { status, body } = await team.call(`${path}cursor=${next_cursor}`);
      expect([status, body.code]).toEqual([422, 'invalid_cursor']);
    }
    const ofItems = (await team.pull()).body.next_cursor;
    expect((await team.call(at('a.md', `/versions?cursor=${ofItems}`))).body.code).toBe('invalid_cursor');
    expect((await team.call(at('a.md', '/versions?limit=0'))).body.code).toBe('invalid_request');
  });

  test.for([
    'versions',
    'a/versions',
    'versions/1',
    'a/versions/1',
    'a b/c%2fd.md',
    '100%25',
    'a?b#c',
    '.x',
    'é/😀',
    'é'.repeat(512),
  ])('an item called %j is itself, its versions are its own', async (name) => {
    const { team } = await newTeam(service());
    await team.push(item('a'), item(name, 'the one'));
    expect((await team.call(at(name))).body).toMatchObject({ row_key: name, content: 'the one' });
    const { versions } = (await team.call(at(name, '/versions'))).body;
    expect(versions).toMatchObject([{ revision: 1, checksum: item(name, 'the one').checksum }]);
    expect((await team.call(at(name, '/versions/1'))).body).toMatchObject({ row_key: name, revision: 1 });
    expect((await team.call(at(name), { method: 'DELETE' })).status).toBe(204);
  });

  test('a path that no item can have, or a revision that is none, is 404', async () => {
    const { team } = await newTeam(service());
    await team.push(item('a.md'));
    const keys = ['', '%2e%2e', '%2e%2e%2fa.md', '%2Fa.md', 'a.md%2F', '%00', '%ff', '%E0%A4%A', 'A.md'];
    for (const key of [...keys, 'x'.repeat(3_000)]) {
      for (const rest of ['', '/versions', '/versions/1']) {
        expect((await team.call(`/items/${key}${rest}`)).status, `${key}${rest}`).toBe(404);
      }
    }
    for (const revision of ['0', '-1', '1.0', '01', '1e0', 'x', '2', '9'.repeat(30), '%31%20', '1/2']) {
      expect((await team.call(at('a.md', `/versions/${revision}`))).status, revision).toBe(404);
    }
    // The slashes of a row_key may be left as they are where it does not end like another path.
    await team.push(item('b/c.md'));
    expect((await team.call('/items/b/c.md')).body.row_key).toBe('b/c.md');
  });
});
