import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, test } from 'vitest';
import { scan, scanWith, snapshot } from '../support/analytics/valid-bodies.ts';
import { attackedService, besideBystanders } from '../support/attacks/attacked-service.ts';
import { keyHolder, newTeam } from '../support/http/key-holder.ts';
import { asAdministrator } from '../support/service/as-administrator.ts';

const attacked = attackedService({});
const paths = ['/codebases', '/codebases/secret-api/scans', '/rollup', '/rollup?weeks=53'];

test('codebases, scans and rollups are for the team only: nobody else learns that they exist, and two members see no figures', {
  timeout: 120_000,
}, async () => {
  const { service } = attacked();
  const [mine, other] = [await newTeam(service), await newTeam(service)];
  const pushed = [
    ['/codebases', scanWith('codebase', { slug: 'secret-api', full_name: 'acme/secret-api' })],
    ['/codebases', { ...scanWith('codebase', { slug: 'web' }), contributions: [] }],
    ['/metrics', snapshot()],
  ] as const;
  for (const [path, body] of pushed) expect((await mine.team.call(path, { body })).status).toBe(200);
  expect((await other.team.call('/codebases', { body: scan() })).status).toBe(200);

  await besideBystanders({ ...attacked(), name: 'readers of readiness', boundMegabytes: 60 }, async () => {
    const statuses = async (as: typeof mine.team) =>
      Promise.all(paths.map(async (path) => (await as.call(path)).status));
    const reader = keyHolder(service, mine, mine.readKey);
    expect(await statuses(reader)).toEqual([200, 200, 200, 200]);

    const stranger = keyHolder(service, mine, `${mine.teamKey.slice(0, -1)}!`);
    expect(await statuses(stranger)).toEqual([401, 401, 401, 401]);
    expect(await statuses(keyHolder(service, mine, other.teamKey))).toEqual([403, 403, 403, 403]);
    for (const path of paths) {
      const { status, body } = await mine.external.call(path);
      expect([path, status, body.code]).toEqual([path, 403, 'forbidden_tier']);
    }
    // A guest gets the same words for a codebase that exists and one that does not.
    const told = async (slug: string) => {
      const { request_id: _, ...body } = (await mine.external.call(`/codebases/${slug}/scans`)).body;
      return body;
    };
    expect(await told('secret-api')).toEqual(await told('nothing'));

    const listed = await other.team.call('/codebases');
    expect(JSON.stringify(listed.body)).not.toMatch(/secret-api|web/);
    const [absent, foreign] = await Promise.all(
      ['nothing', 'secret-api'].map((slug) => other.team.call(`/codebases/${slug}/scans`)),
    );
    expect([absent?.status, foreign?.status]).toEqual([404, 404]);
    expect(foreign?.body.detail).toBe(absent?.body.detail);

    // A cursor is a place in a list, whoever holds it, and leads to rows of the own team only.
    const { next_cursor: cursor } = (await mine.team.call('/codebases?limit=1')).body;
    expect((await other.team.call(`/codebases?cursor=${cursor}`)).body.codebases).toEqual([]);
    for (const wrong of ['1', `${cursor}x`, 'a'.repeat(4_000), '%00', "'%20OR%201=1"]) {
      const { status, body } = await mine.team.call(`/codebases?cursor=${wrong}`);
      expect([wrong, status, body.code]).toEqual([wrong, 422, 'invalid_cursor']);
    }
    for (const slug of ['..%2F..%2Frollup', '%00', 'a'.repeat(3_000), '$ne', '__proto__', '%7B%7D']) {
      expect([slug, (await mine.team.call(`/codebases/${slug}/scans`)).status]).toEqual([slug, 404]);
    }
    for (const weeks of ['0', '54', '1e9', '-1', '', '1&weeks=2'])
      expect([weeks, (await mine.team.call(`/rollup?weeks=${weeks}`)).status]).toEqual([weeks, 422]);

    const { current, trend } = (await mine.team.call('/rollup')).body;
    const withheld = { withheld: true, spines: null, median_axes: null };
    for (const placement of [current, ...trend]) expect(placement).toMatchObject(withheld);

    await Promise.all(Array.from({ length: 200 }, () => mine.team.call('/rollup?weeks=53')));

    await asAdministrator(service, (admin) => admin.revokeKey(mine.teamKey.split('_')[1] ?? ''));
    await eventually('the former administrator reads nothing', async () =>
      (await statuses(mine.team)).every((status) => status === 401),
    );
  });
});
