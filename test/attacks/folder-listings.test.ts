import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { underAttack } from '../support/attacks/under-attack.ts';
import { item } from '../support/http/api.ts';
import { browserRequest, openSession, sameOrigin } from '../support/http/browser-session.ts';
import { newTeam, type TeamClients } from '../support/http/key-holder.ts';
import { callContent, exchange } from '../support/rpc/caller-tokens.ts';
import { rpcCall } from '../support/rpc/rpc-call.ts';
import { asAdministrator } from '../support/service/as-administrator.ts';
import { type StartedService, startService } from '../support/service/running-service.ts';
import { sharedService } from '../support/service/shared-service.ts';

/**
 * Who lists a folder, finds items by name, or lists the notes to be checked sees what their key sees, and neither a folder with very much below it nor many
 * calls stop others.
 */

const path = '/rpc/teammemory.content.v1.ContentService/ListFolder';
const longMs = 240_000;

/** What a page of a folder says, by whom its token stands for. */
async function listed(service: { rpcUrl: string }, key: string, message: object = {}) {
  const answer = await callContent(service, await exchange(service, key), 'ListFolder', message);
  const { folders = [], itemsJson = '', itemJson = '', nextPageToken = '' } = answer.message;
  const items = answer.code === 'ok' ? JSON.parse(Buffer.from(itemsJson, 'base64').toString()) : [];
  return {
    code: answer.code,
    folders: folders.map(({ name, items: count }: { name: string; items: number }) => `${name} ${count}`),
    items: items.map(({ row_key }: { row_key: string }) => row_key),
    hasItem: itemJson !== '',
    nextPageToken,
  };
}

describe('the folders of a team', () => {
  const service = sharedService();
  let team: TeamClients;
  beforeAll(async () => {
    team = await newTeam(service());
    await team.team.push(
      item('hidden/a.md'),
      item('mixed/hidden.md'),
      item('mixed/below/hidden.md'),
      item('mixed/open.md', '# Open', { tier: 'external' }),
      item('was-open/a.md', '# Open', { tier: 'external' }),
      item('gone/a.md', '# Gone', { tier: 'external' }),
    );
    await team.team.push(item('was-open/a.md', '# Closed'));
    await team.team.remove('gone/a.md');
  });

  test('are listed to nobody without a session or a token', async () => {
    const body = Buffer.from('{ this is no message');
    expect((await browserRequest(service(), path, { body, headers: sameOrigin })).status).toBe(401);
    for (const authorization of ['', 'Bearer x', `Bearer ${team.teamKey}`])
      expect((await callContent(service(), authorization, 'ListFolder')).code).toBe('unauthenticated');
  });

  test('are listed to no other team, whatever it asks for', async () => {
    const other = await newTeam(service());
    for (const folder of ['', 'mixed', 'hidden'])
      expect(await listed(service(), other.teamKey, { folder, teamId: team.slug })).toMatchObject({
        folders: [],
        items: [],
      });
  });

  test('tell a guest no name, count or place of what is hidden, by any folder, size or token', async () => {
    const plain = await newTeam(service());
    await plain.team.push(item('mixed/open.md', '# Open', { tier: 'external' }));
    const [guest, other] = [team.externalKey, plain.externalKey];
    for (const folder of [
      '',
      'hidden',
      'hidden/a.md',
      'mixed',
      'mixed/below',
      'was-open/a.md',
      'gone',
      'absent',
    ]) {
      for (const more of [
        {},
        { pageSize: 1 },
        { pageToken: 'a' },
        { pageToken: 'hidden/' },
        { pageToken: 'hidden/a.md' },
        { pageToken: 'mixed' },
        { pageSize: 1, pageToken: 'mixed/below/' },
      ]) {
        const message = { folder, ...more };
        const seen = await listed(service(), guest, message);
        expect([message, seen]).toEqual([message, await listed(service(), other, message)]);
        expect(JSON.stringify(seen)).not.toMatch(/hidden|below|was-open|gone/);
      }
    }
    expect(await listed(service(), guest)).toMatchObject({ folders: ['mixed 1'], items: [] });
    expect((await listed(service(), team.teamKey)).folders).toEqual(['hidden 1', 'mixed 3', 'was-open 1']);
  });

  test('give by name to a guest what a guest sees, to another team nothing, to a stranger no answer', async () => {
    const rowKeys = [
      'mixed/open.md',
      'mixed/hidden.md',
      'was-open/a.md',
      'gone/a.md',
      'absent.md',
      '../a',
      '',
    ];
    const named = async (authorization: string, message: object = { rowKeys }) => {
      const answer = await callContent(service(), authorization, 'GetItemSummaries', message);
      const { itemsJson = '', unreadRowKeys = [] } = answer.message;
      const items = itemsJson === '' ? [] : JSON.parse(Buffer.from(itemsJson, 'base64').toString());
      return [answer.code, items.map(({ row_key }: { row_key: string }) => row_key), unreadRowKeys];
    };
    const as = (key: string) => exchange(service(), key);
    const other = await newTeam(service());
    expect(await named(await as(team.externalKey))).toEqual(['ok', ['mixed/open.md'], []]);
    expect(await named(await as(other.teamKey))).toEqual(['ok', [], []]);
    expect(await named(await as(other.teamKey), { rowKeys, teamId: team.slug })).toEqual(['ok', [], []]);
    const whole = ['ok', ['mixed/hidden.md', 'mixed/open.md', 'was-open/a.md'], []];
    for (const key of [team.teamKey, team.readKey]) expect(await named(await as(key))).toEqual(whole);
    for (const stranger of ['', 'Bearer x']) expect((await named(stranger))[0]).toBe('unauthenticated');
    const many = { rowKeys: Array(201).fill('a.md') };
    expect((await named(await as(team.teamKey), many))[0]).toBe('invalid_argument');
  });

  test('are found by name by those who see them: no part of a hidden name is told, to whomever', async () => {
    const found = async (authorization: string, message: object) => {
      const { code, message: answer } = await callQuery(authorization, message);
      const { items = [], hasMore = false } = answer;
      return [code, items.map(({ rowKey }: { rowKey: string }) => rowKey), hasMore];
    };
    const callQuery = (authorization: string, message: object) => {
      const method = 'teammemory.query.v1.QueryService/FindItems';
      return rpcCall({ rpcUrl: service().rpcUrl, protocol: 'connect', method, message, authorization });
    };
    const as = (key: string) => exchange(service(), key, 'query');
    const [guest, reader, other, own] = [
      await as(team.externalKey),
      await as(team.readKey),
      await as((await newTeam(service())).teamKey),
      await as(await team.newKey('team', { member: 'bo', access: 'own' })),
    ];
    const parts = [
      '',
      'a',
      '/',
      'md',
      'hidden',
      'hid',
      'mixed/',
      'was-open',
      'gone',
      'closed',
      'open',
      `' OR 1`,
    ];
    for (const words of parts) {
      const [code, rowKeys, hasMore] = await found(guest, { words, teamId: team.slug });
      const shown = /^(?:|\/|md|mixed\/|open)$/.test(words) ? ['mixed/open.md'] : [];
      expect([words, code, rowKeys, hasMore]).toEqual([words, 'ok', shown, false]);
      expect(await found(other, { words, teamId: team.slug })).toEqual(['ok', [], false]);
      expect(await found(own, { words })).toEqual(await found(reader, { words }));
    }
    expect((await found(reader, { words: 'hidden' }))[1]).toHaveLength(3);
    expect((await found(reader, { words: 'x'.repeat(2_049) }))[0]).toBe('invalid_argument');
    for (const stranger of ['', 'Bearer x', `Bearer ${team.teamKey}`])
      expect((await callQuery(stranger, { words: 'hidden' })).code).toBe('unauthenticated');
    const door = '/rpc/teammemory.query.v1.QueryService/FindItems';
    expect((await browserRequest(service(), door, { body: {}, headers: sameOrigin })).status).toBe(401);
  });

  test('are listed as to be checked to those who see them, and as one’s own to who wrote them', async () => {
    const [own, plain] = [await newTeam(service()), await newTeam(service())];
    const frontmatter = { review_by: '2020-01-02' };
    const open = item('open.md', '# Open', { tier: 'external', frontmatter });
    await plain.team.push(open);
    await own.team.push(
      open,
      item('hidden.md', '# Hidden', { frontmatter }),
      item('was-open.md', '# Open', { tier: 'external', frontmatter }),
      item('gone.md', '# Gone', { tier: 'external', frontmatter }),
      item('later.md', '# Later', { frontmatter: { review_by: '9999-12-31' } }),
      item('odd.md', '# Odd', { frontmatter: { review_by: `2020-01-02' OR 1`, stale_after: '-1d' } }),
    );
    await own.team.push(item('was-open.md', '# Closed', { frontmatter }));
    await own.team.remove('gone.md');
    const call = (authorization: string, message: object = {}) => {
      const method = 'teammemory.query.v1.QueryService/ListNotesToCheck';
      return rpcCall({ rpcUrl: service().rpcUrl, protocol: 'connect', method, message, authorization });
    };
    const as = (key: string) => exchange(service(), key, 'query');
    const listed = async (key: string, message: object = {}) => {
      const { code, message: answer } = await call(await as(key), { ...message, teamId: own.slug });
      return [code, ...(answer.notes ?? []).map(({ rowKey }: { rowKey: string }) => rowKey)];
    };
    const whole = ['ok', 'hidden.md', 'open.md', 'was-open.md'];
    for (const key of [own.teamKey, own.readKey]) expect(await listed(key)).toEqual(whole);
    expect(await listed(own.teamKey, { mine: true })).toEqual(whole);
    const other = await own.newKey('team', { member: 'bo', access: 'own' });
    expect(await listed(other)).toEqual(whole);
    expect(await listed(other, { mine: true })).toEqual(['ok']);
    for (const mine of [false, true]) {
      const seen = await call(await as(own.externalKey), { mine });
      expect(seen).toMatchObject({ code: 'ok', message: { notes: [{ rowKey: 'open.md' }] } });
      expect(seen.message).toEqual((await call(await as(plain.externalKey), { mine })).message);
      expect(await listed((await newTeam(service())).teamKey, { mine })).toEqual(['ok']);
    }
    for (const stranger of ['', 'Bearer x', `Bearer ${own.teamKey}`])
      expect((await call(stranger)).code).toBe('unauthenticated');
    const door = '/rpc/teammemory.query.v1.QueryService/ListNotesToCheck';
    expect((await browserRequest(service(), door, { body: {}, headers: sameOrigin })).status).toBe(401);
  });

  test('are seen whole with a key that only reads, and with one that writes only its own', async () => {
    const own = await team.newKey('team', { member: 'bo', access: 'own' });
    const whole = await listed(service(), team.teamKey);
    for (const key of [team.readKey, own]) expect(await listed(service(), key)).toEqual(whole);
  });

  test('are listed to a former administrator as a member, and to a revoked key not at all', async () => {
    const former = await newTeam(service());
    await former.team.push(item('a/b.md', '# B', { frontmatter: { review_by: '2020-01-02' } }));
    const seen = await listed(service(), former.teamKey);
    const session = await openSession(service(), { key: former.teamKey });
    await asAdministrator(service(), async (admin) => {
      await admin.addMember({ team: former.slug, handle: 'bo', role: 'admin' });
      await admin.setMemberRole({ team: former.slug, handle: 'ada', role: 'member' });
    });
    expect(await listed(service(), former.teamKey)).toEqual(seen);
    const finding = '/rpc/teammemory.query.v1.QueryService/FindItems';
    const { body } = await session.send(finding, { body: { words: 'b.md' } });
    expect(body).toMatchObject({ items: [{ rowKey: 'a/b.md' }] });
    const checking = '/rpc/teammemory.query.v1.QueryService/ListNotesToCheck';
    const toCheck = await session.send(checking, { body: {} });
    expect(toCheck.body).toMatchObject({ notes: [{ rowKey: 'a/b.md' }] });
    await asAdministrator(service(), (admin) => admin.revokeKey(former.teamKey.split('_')[1] ?? ''));
    await expect(listed(service(), former.teamKey)).rejects.toThrow('unauthenticated');
    await expect
      .poll(async () => (await session.send(path, { body: {} })).status, { timeout: 30_000 })
      .toBe(401);
  });
});

describe('100,000 items, half of them in one folder, on SQLite', { timeout: longMs }, () => {
  const flood = 50_000;
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let service: StartedService;
  let team: TeamClients;

  beforeAll(async () => {
    directory = await temporaryDirectory();
    const first = await startService({ dataDirectory: directory.path });
    const made = await newTeam(first);
    await made.team.push(item('one/000000.md'), item('open/a.md', '# Open', { tier: 'external' }));
    await first.end();
    const database = new DatabaseSync(join(directory.path, 'content.sqlite'));
    const columns =
      'checksum, revision, external_at, owner, bytes, kept_bytes, writer_id, removed_by, erased_from';
    const copy = database.prepare(
      `INSERT INTO items (team_id, row_key, seq, updated_at, tier, deleted, json, ${columns})
       SELECT team_id, ?, ?, updated_at + ?, tier, deleted,
         CAST(replace(CAST(json AS TEXT), row_key, ?) AS BLOB), ${columns}
       FROM items WHERE team_id = ? AND row_key = 'one/000000.md'`,
    );
    const { team_id: teamId } = database.prepare('SELECT team_id FROM items').get() as { team_id: string };
    database.exec('BEGIN');
    for (let n = 1; n < 2 * flood; n += 1) {
      const name = `${String(n % flood).padStart(6, '0')}.md`;
      const folder = n < flood ? 'one' : `many-${String(n % 1_000).padStart(4, '0')}`;
      copy.run(`${folder}/${name}`, n + 10, n + 10, `${folder}/${name}`, teamId);
    }
    database.exec('COMMIT');
    database.close();
    service = await startService({ dataDirectory: directory.path });
    team = made;
  }, longMs);
  afterAll(async () => {
    await service.remove();
    await directory.remove();
  });

  /** Lists each of some folders 15 times, in turns: what else the machine does delays all alike. */
  async function timed<Name extends string>(pages: Record<Name, [authorization: string, message: object]>) {
    const names = Object.keys(pages) as Name[];
    const times = new Map(names.map((name) => [name, [] as number[]]));
    const entries = new Map<Name, number>();
    for (let round = 0; round < 15; round += 1) {
      for (const name of names) {
        const [authorization, message] = pages[name];
        const startedMs = performance.now();
        const { message: page } = await callContent(service, authorization, 'ListFolder', message);
        times.get(name)?.push(performance.now() - startedMs);
        const items = JSON.parse(Buffer.from(page.itemsJson, 'base64').toString());
        entries.set(name, (page.folders ?? []).length + items.length);
      }
    }
    const medianMs = (name: Name) => times.get(name)?.toSorted((a, b) => a - b)[7] ?? Number.NaN;
    for (const name of names)
      console.log(`${name}: ${medianMs(name).toFixed(1)} ms for ${entries.get(name)} entries`);
    return { medianMs, entries };
  }

  test('are listed page by page, at a cost that neither they nor hidden rows decide', async () => {
    const [member, guest] = [
      await exchange(service, team.teamKey),
      await exchange(service, team.externalKey),
    ];
    const { medianMs, entries } = await timed({
      'the outermost folder': [member, {}],
      'one of 50,000 items': [member, { folder: 'one' }],
      'its last page': [member, { folder: 'one', pageToken: '049990.md' }],
      'one of 50 items': [member, { folder: 'many-0500' }],
      'the outermost folder, to a guest': [guest, {}],
      'the folder of hidden items, to a guest': [guest, { folder: 'one' }],
      'an absent folder, to a guest': [guest, { folder: 'absent' }],
    });
    expect(entries.get('one of 50,000 items')).toBe(100);
    expect(entries.get('the outermost folder, to a guest')).toBe(1);
    expect(entries.get('the folder of hidden items, to a guest')).toBe(0);
    const hidden = medianMs('the folder of hidden items, to a guest');
    const absent = medianMs('an absent folder, to a guest');
    expect(Math.max(hidden, absent)).toBeLessThan(3 * Math.min(hidden, absent) + 60);
  });

  test('are listed as often as a key may, in the dearest way, while others are served', async () => {
    await underAttack('a flood of folders', service, async () => {
      const sessions = await Promise.all(
        [team.teamKey, team.readKey, team.externalKey].map((key) => openSession(service, { key })),
      );
      const statuses = new Map<number, number>();
      const startedMs = performance.now();
      const flooding = sessions.flatMap((session) => Array.from({ length: 10 }, () => session));
      await Promise.all(
        flooding.map(async (session) => {
          for (let call = 0; call < 70; call += 1) {
            const { status } = await session.send(path, { body: { pageToken: 'many-' } });
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
          }
        }),
      );
      const minutes = Math.ceil((performance.now() - startedMs) / 60_000);
      expect([...statuses.keys()].filter((status) => status !== 200 && status !== 429)).toEqual([]);
      expect(statuses.get(200)).toBeLessThanOrEqual(sessions.length * 600 * minutes);
    });
  });
});
