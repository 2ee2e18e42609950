import type { DecisionEdit, NewDecision } from '@teammemory/client/rpc/decisions.ts';
import { describe, expect, test } from 'vitest';
import { type KeyHolder, newTeam } from './support/http/key-holder.ts';
import { problem } from './support/http/problem.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { describeEachService } from './support/service/shared-service.ts';

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

async function decisions(client: KeyHolder, query = '') {
  const { status, body } = await client.call(`/decisions${query}`);
  expect(status).toBe(200);
  return body.decisions;
}

const decision: NewDecision = { title: 'Use SQLite', body: 'Because it is there.', audience: 'team' };

describeEachService('decisions', (service) => {
  const create = (team: string, changed: Partial<NewDecision> = {}) =>
    asAdministrator(service(), (admin) => admin.decisions(team).create({ ...decision, ...changed }));
  const edit = (team: string, id: string, change: DecisionEdit) =>
    asAdministrator(service(), (admin) => admin.decisions(team).edit(id, change));

  test('are pulled by members with every field', async () => {
    const { slug, team } = await newTeam(service());
    const full = { status: 'accepted', project: 'web', decidedOn: '2026-11-20' } as const;
    const created = await create(slug, full);
    const plain = await create(slug, { title: 'Wait' });
    const { body } = await team.call('/decisions');
    expect(body).toEqual({
      decisions: [
        {
          decision_id: created.decision_id,
          title: 'Use SQLite',
          body: 'Because it is there.',
          status: 'accepted',
          audience: 'team',
          project: 'web',
          decided_on: '2026-11-20',
          updated_at: time,
          updated_by: 'administrator',
        },
        expect.objectContaining({
          decision_id: plain.decision_id,
          status: 'proposed',
          project: null,
          decided_on: null,
        }),
      ],
      next_cursor: expect.stringMatching(/./),
      has_more: false,
    });
    const { hidden, ...fields } = created;
    expect([fields, hidden]).toEqual([body.decisions[0], false]);
  });

  test('of audience team do not exist for external keys, and leave their sight once', async () => {
    const { slug, team, external } = await newTeam(service());
    await create(slug);
    const { decision_id } = await create(slug, { audience: 'external' });
    expect(await decisions(external)).toEqual([(await decisions(team))[1]]);
    await edit(slug, decision_id, { audience: 'team' });
    expect(await decisions(external)).toEqual([]);
    const gone = await decisions(external, '?include_deleted=true');
    expect(gone).toEqual([{ decision_id, updated_at: time, deleted: true }]);
    await edit(slug, decision_id, { title: 'Secret' });
    expect(await decisions(external, '?include_deleted=true')).toEqual(gone);
    expect(await decisions(team)).toMatchObject([{}, { title: 'Secret', audience: 'team' }]);
  });

  test('that are hidden reach clients as removed rows, and come back as they were', async () => {
    const { slug, team, external } = await newTeam(service());
    const { decision_id } = await create(slug, { audience: 'external' });
    const before = await decisions(external);
    await edit(slug, decision_id, { hidden: true });
    for (const client of [team, external]) {
      expect(await decisions(client)).toEqual([]);
      const rows = await decisions(client, '?include_deleted=true');
      expect(rows).toEqual([{ decision_id, updated_at: time, deleted: true }]);
    }
    await edit(slug, decision_id, { hidden: false });
    expect(await decisions(external)).toEqual([{ ...before[0], updated_at: time }]);
  });

  test('are read one by one as the list of each key has them', async () => {
    const { slug, team, external } = await newTeam(service());
    await create(slug);
    await create(slug, { audience: 'external', title: 'Known' });
    for (const reader of [team, external]) {
      for (const row of await decisions(reader)) {
        const { status, body } = await reader.call(`/decisions/${row.decision_id}`);
        expect([status, body]).toEqual([200, row]);
      }
    }
  });

  test('that are absent, removed, hidden or not visible are one 404, as is what is no id', async () => {
    const { slug, team, external } = await newTeam(service());
    const other = await newTeam(service());
    const [internal, hidden, removed] = [
      (await create(slug)).decision_id,
      (await create(slug, { audience: 'external', hidden: true })).decision_id,
      (await create(slug, { audience: 'external' })).decision_id,
    ];
    await asAdministrator(service(), (admin) => admin.decisions(slug).remove(removed));
    const absent = '019a9f0e-7d51-7c3a-9a51-6b0c4b8f2d11';
    const malformed = [internal.toUpperCase(), `${internal}x`, 'a', '%00', 'x'.repeat(3_000)];
    const read = (client: KeyHolder) => (id: string) => client.call(`/decisions/${id}`);
    const answers = await Promise.all([
      ...[internal, hidden, removed, absent, ...malformed].map(read(external)),
      ...[hidden, removed, absent, ...malformed].map(read(team)),
      ...[internal, hidden, removed].map(read(other.team)),
    ]);
    const texts = answers.map(({ status, headers, body }) =>
      JSON.stringify([status, [...headers.keys()], { ...body, request_id: '' }]),
    );
    expect(answers[0]?.body).toEqual(problem('not_found'));
    expect([...new Set(texts)]).toEqual([texts[0]]);
  });

  test('are not overwritten by who edited an older version', async () => {
    const { slug, team } = await newTeam(service());
    const { decision_id, updated_at } = await create(slug);
    const baseUpdatedAt = new Date(updated_at ?? '');
    await edit(slug, decision_id, { title: 'Mine', baseUpdatedAt });
    await edit(slug, decision_id, { title: 'Mine', baseUpdatedAt });
    const late = edit(slug, decision_id, { title: 'Yours', baseUpdatedAt });
    await expect(late).rejects.toMatchObject({ code: 'conflict' });
    expect(await decisions(team)).toMatchObject([{ title: 'Mine', body: 'Because it is there.' }]);
  });

  test('of one team are neither seen nor edited through another', async () => {
    const [mine, other] = [await newTeam(service()), await newTeam(service())];
    const { decision_id } = await create(mine.slug, { audience: 'external' });
    for (const stranger of [other.team, other.external]) expect(await decisions(stranger)).toEqual([]);
    const edited = edit(other.slug, decision_id, { title: 'x' });
    await expect(edited).rejects.toMatchObject({ code: 'not_found' });
  });

  test('are listed for administrators, hidden ones by their id', async () => {
    const { slug } = await newTeam(service());
    const hidden = await create(slug, { hidden: true });
    const titles = Array.from({ length: 12 }, (_, index) => `Number ${index}`);
    for (const title of titles) await create(slug, { title });
    const pages = await asAdministrator(service(), (admin) => Array.fromAsync(admin.decisions(slug).list()));
    const [first, ...rest] = pages.flat();
    expect(first).toEqual({ decision_id: hidden.decision_id, updated_at: hidden.updated_at, deleted: true });
    expect(rest.map(({ title }) => title)).toEqual(titles);
  });

  describe('that break a rule are refused, and nothing is stored', () => {
    test.each<[string, Partial<NewDecision>]>([
      ['/title', { title: '' }],
      ['/title', { title: 'x'.repeat(301) }],
      ['/title', { title: 'a\nb' }],
      ['/body', { body: 'x'.repeat(1024 * 1024 + 1) }],
      ['/project', { project: 'Not a slug' }],
      ['/decided_on', { decidedOn: '2026-02-30' }],
    ])('%s', async (pointer, changed) => {
      const { slug, team } = await newTeam(service());
      const created = create(slug, changed);
      await expect(created).rejects.toMatchObject({ code: 'invalid_request', violations: [{ pointer }] });
      const { decision_id } = await create(slug);
      await expect(edit(slug, decision_id, changed)).rejects.toMatchObject({
        violations: [{ pointer }],
      });
      expect(await decisions(team)).toMatchObject([{ title: 'Use SQLite' }]);
    });
  });
});
