import { expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { newTeam } from './support/http/key-holder.ts';
import { problem } from './support/http/problem.ts';
import { rawHttp, rawRequest } from './support/http/raw-http.ts';
import { describeEachService } from './support/service/shared-service.ts';

describeEachService('removing an item', (service) => {
  test('answers 204 without a body, again 204, and the item is gone', async () => {
    const { team } = await newTeam(service());
    await team.push(item('a.md', 'the otter sleeps at noon'), item('b.md'));
    for (const _time of ['first', 'second']) {
      expect(await team.remove('a.md')).toMatchObject({ status: 204, body: '' });
    }
    expect((await team.rows()).map(({ row_key }) => row_key)).toEqual(['b.md']);
    expect((await team.ask('when does the otter sleep?')).sources).toEqual([]);
  });

  test('that never was answers 404', async () => {
    const { team } = await newTeam(service());
    const { status, body } = await team.remove('a.md');
    expect({ status, body }).toEqual({ status: 404, body: problem('not_found') });
    expect(await team.rows('?include_deleted=true')).toEqual([]);
  });

  test('moves nothing when it is repeated', async () => {
    const { team } = await newTeam(service());
    await team.push(item('a.md'), item('b.md'));
    await team.remove('a.md');
    const before = await team.rows('?include_deleted=true');
    await team.remove('a.md');
    expect(await team.rows('?include_deleted=true')).toEqual(before);
    expect(before.at(-1)).toEqual({ row_key: 'a.md', updated_at: expect.any(String), deleted: true });
  });

  test('leaves its row_key free: the same content can be pushed again', async () => {
    const { team } = await newTeam(service());
    await team.push(item('a.md', 'one'));
    await team.remove('a.md');
    expect((await team.push(item('a.md', 'one'))).body.accepted).toBe(1);
    expect(await team.rows()).toMatchObject([{ row_key: 'a.md', content: 'one' }]);
    expect((await team.remove('a.md')).status).toBe(204);
  });

  test('works for every row_key that can be stored, and takes the path as it is sent', async () => {
    const { team } = await newTeam(service());
    const keys = [
      'a b',
      'a%2fb',
      'a/b',
      '100%',
      'a?b',
      'a#b',
      '+',
      '\u00e9/\u{1f600}',
      'a;b',
      '.x',
      '\u00e9'.repeat(512),
    ];
    await team.push(...keys.map((key) => item(key)));
    for (const key of keys) expect((await team.remove(key)).status, key).toBe(204);
    expect(await team.rows()).toEqual([]);
  });

  test('takes slashes of a row_key encoded or not, and decodes once only', async () => {
    const { team } = await newTeam(service());
    await team.push(item('a/b.md'), item('c%2Fd'), item('c/d'));
    expect((await team.call('/items/a/b.md', { method: 'DELETE' })).status).toBe(204);
    expect((await team.call('/items/c%252Fd', { method: 'DELETE' })).status).toBe(204);
    expect((await team.rows()).map(({ row_key }) => row_key)).toEqual(['c/d']);
  });

  test('takes the absolute form of a request too, as every HTTP server must', async () => {
    const { team, slug, teamKey } = await newTeam(service());
    await team.push(item('a.md'));
    const line = `DELETE ${service().url}/api/v1/items/a.md HTTP/1.1`;
    const answer = await rawHttp(
      service().url,
      rawRequest(line, `Authorization: Bearer ${teamKey}`, `X-Svc-Team: ${slug}`),
    );
    expect(answer.status).toBe(204);
    expect(await team.rows()).toEqual([]);
  });

  test('answers 404 for paths that no item can have', async () => {
    const { team } = await newTeam(service());
    await team.push(item('a.md'));
    for (const path of ['', '%ff', '%00', 'a.md/', '/a.md', 'A.md', '%E0%A4%A', 'x'.repeat(3_000)]) {
      expect((await team.call(`/items/${path}`, { method: 'DELETE' })).status, path).toBe(404);
    }
    expect(await team.rows()).toHaveLength(1);
  });

  test('of one version keeps what somebody else wrote, and says what that is', async () => {
    const { team } = await newTeam(service());
    const [one, two] = [item('a.md', 'one'), item('a.md', 'two')];
    await team.push(one, two);
    const removal = (base: string) =>
      team.call(`/items/a.md?base_checksum=${encodeURIComponent(base)}`, { method: 'DELETE' });
    const { status, body } = await removal(one.checksum);
    const conflict = { ...problem('conflict'), current_checksum: two.checksum };
    expect({ status, body }).toEqual({ status: 409, body: conflict });
    for (const bad of ['', 'x', 'sha256:1', `${two.checksum}0`])
      expect((await removal(bad)).status).toBe(422);
    expect(await team.rows()).toMatchObject([{ content: 'two' }]);
    for (const base of [
      two.checksum.replace(/[0-9a-f]{64}/, (digits) => digits.toUpperCase()),
      one.checksum,
    ]) {
      expect(await removal(base)).toMatchObject({ status: 204, body: '' });
    }
    expect(await team.rows()).toEqual([]);
  });

  test('with erase=true takes every version from versions, search, tasks and lists, again if repeated, and says who', async () => {
    const { team } = await newTeam(service());
    const erase = (name: string, query = 'erase=true') =>
      team.call(`/items/${name}?${query}`, { method: 'DELETE' });
    await team.push(item('tasks.md', '- [ ] feed the ocelot'), item('b.md'));
    await team.push(item('tasks.md', 'the ocelot sleeps at noon'));
    const versions = async () => (await team.call('/items/tasks.md/versions')).body.versions;
    expect(await versions()).toHaveLength(2);
    for (const bad of ['erase=1', 'erase=', 'erase=true&erase=true'])
      expect((await erase('tasks.md', bad)).status, bad).toBe(422);
    for (const _time of ['first', 'second'])
      expect(await erase('tasks.md')).toMatchObject({ status: 204, body: '' });
    const who = { updated_by: 'ada', deleted: true, erased: true };
    expect(await versions()).toEqual([expect.objectContaining({ ...who, revision: 3 })]);
    for (const revision of [1, 2])
      expect((await team.call(`/items/tasks.md/versions/${revision}`)).status).toBe(404);
    expect((await team.call('/items/tasks.md/versions/3')).body).toMatchObject(who);
    expect((await team.ask('when does the ocelot sleep?')).sources).toEqual([]);
    expect((await team.call('/tasks')).body.tasks).toEqual([]);
    const gone = await team.rows('?include_deleted=true');
    expect(gone.at(-1)).toEqual({ row_key: 'tasks.md', updated_at: expect.any(String), deleted: true });
    expect((await erase('never.md')).status).toBe(404);
    expect(await team.rows()).toHaveLength(1);
  });

  test('by an external key: external items only, team items look like none', async () => {
    const { team, external } = await newTeam(service());
    await team.push(
      item('open.md', 'a', { tier: 'external' }),
      item('internal.md'),
      item('was-open.md', 'a', { tier: 'external' }),
    );
    await team.push(item('was-open.md', 'a'));
    const absent = await external.remove('absent.md');
    const hidden = await external.remove('internal.md');
    expect([hidden.status, hidden.body]).toEqual([404, problem('not_found')]);
    expect({ ...hidden.body, request_id: '' }).toEqual({ ...absent.body, request_id: '' });
    expect((await external.remove('open.md')).status).toBe(204);
    expect((await external.remove('open.md')).status).toBe(204);
    // It knew of this one and may not see it any more: gone for it already, and there for the team.
    expect((await external.remove('was-open.md')).status).toBe(204);
    expect((await team.rows()).map(({ row_key }) => row_key)).toEqual(['internal.md', 'was-open.md']);
  });

  test("does not reach another team's item of the same name", async () => {
    const [one, two] = [await newTeam(service()), await newTeam(service())];
    await one.team.push(item('a.md'));
    expect((await two.team.remove('a.md')).status).toBe(404);
    await two.team.push(item('a.md'));
    expect((await two.team.remove('a.md')).status).toBe(204);
    expect(await one.team.rows()).toHaveLength(1);
  });
});
