import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createMemberClient, type MemberClient } from '@teammemory/client/rpc/member-client.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  bystanderBoundMs,
  extraMemoryBoundMegabytes,
  printFigures,
  residentMegabytes,
  startBystander,
} from '../support/attacks/bystander.ts';
import { partsAreSeparate } from '../support/deployment/deployment.ts';
import { item } from '../support/http/api.ts';
import { type KeyHolder, keyHolder, newTeam, type TeamClients } from '../support/http/key-holder.ts';
import { problem } from '../support/http/problem.ts';
import {
  type RunningService,
  type StartedService,
  startService,
  type Team,
} from '../support/service/running-service.ts';
import { describeEachService, plentyOfWrites } from '../support/service/shared-service.ts';

/**
 * What members make over RPC and items has an end: projects, decisions, names of projects and items. Today's data is
 * attacked, and what an attack left before there were quotas.
 */

const mebibyte = 2 ** 20;
/** Calls under way at once. */
const atOnce = 50;
const longMs = 120_000;
/** Enough keys for some hundred calls, of which each may make 60 a minute. */
const crowdSize = 10;

/** Expects what a quota allows; processes that write at once may each pass it by what they are writing. */
function expectQuota(count: number, quota: number, beingWritten: number): void {
  expect(count).toBeGreaterThanOrEqual(quota);
  expect(count).toBeLessThanOrEqual(quota + (partsAreSeparate ? beingWritten : 0));
}

function asMember(
  service: Pick<RunningService, 'rpcUrl'>,
  { teamKey: key }: Pick<Team, 'teamKey'>,
): MemberClient {
  return createMemberClient({ rpcUrl: service.rpcUrl, key });
}

/** Clients with keys of their own: one key alone may not create so much within a minute. */
async function asCrowd(service: Pick<RunningService, 'rpcUrl'>, team: Team): Promise<MemberClient[]> {
  const keys = await Promise.all(Array.from({ length: crowdSize }, () => team.newKey('team')));
  return keys.map((teamKey) => asMember(service, { teamKey }));
}

/** Makes many calls, some at once, and counts how they ended. */
async function outcomes(
  count: number,
  call: (index: number) => Promise<unknown>,
  parallel = atOnce,
): Promise<Map<string, number>> {
  const ended = new Map<string, number>();
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < count; index = next++) {
      const code = await call(index).then(
        () => 'ok',
        (error) => error.code as string,
      );
      ended.set(code, (ended.get(code) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return ended;
}

const slugsOf = ({ body }: { body: { projects: { slug: string }[] } }) =>
  body.projects.map(({ slug }) => slug);

describe('a team that has 100,500 projects from before there were quotas, on SQLite', {
  timeout: longMs,
}, () => {
  const flood = 100_500;
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let service: StartedService;
  let team: Team;
  let client: KeyHolder;

  beforeAll(async () => {
    directory = await temporaryDirectory();
    const first = await startService({ dataDirectory: directory.path });
    team = await first.createTeam();
    const member = asMember(first, team);
    await member.projects.create({ slug: 'first', name: 'First' });
    member.close();
    await first.end();
    const database = new DatabaseSync(join(directory.path, 'content.sqlite'));
    const row = database.prepare('SELECT team_id FROM projects').get() as { team_id: string };
    const insert = database.prepare('INSERT INTO projects (team_id, slug, name) VALUES (?, ?, ?)');
    database.exec('BEGIN');
    for (let n = 1; n < flood; n += 1) insert.run(row.team_id, `flood-${n}`, 'x'.repeat(200));
    database.exec('COMMIT');
    database.close();
    service = await startService({ dataDirectory: directory.path, environment: plentyOfWrites });
    client = keyHolder(service, team, team.teamKey);
  }, longMs);
  afterAll(async () => {
    await service.remove();
    await directory.remove();
  });

  test('is answered all of them, while others are served', async () => {
    const bystander = await startBystander(service, await service.createTeam());
    const before = residentMegabytes(service.process.pid);
    for (let round = 0; round < 3; round += 1) {
      const answer = await client.call('/projects');
      expect(answer.status).toBe(200);
      const slugs = slugsOf(answer);
      expect(slugs).toHaveLength(flood);
      expect(slugs).toEqual(slugs.toSorted());
    }
    const seen = await bystander.stop();
    const grown = residentMegabytes(service.process.pid) - before;
    printFigures('a list of 100,500 projects', seen, `${grown.toFixed(0)} MB more`);
    expect(seen.failures).toEqual([]);
    expect(seen.worstMs).toBeLessThan(bystanderBoundMs);
    if (!Number.isNaN(grown)) expect(grown).toBeLessThan(extraMemoryBoundMegabytes);
  });

  test('creates no more, and removes those that it has', async () => {
    const member = asMember(service, team);
    const create = () => member.projects.create({ slug: 'one-more', name: 'One more' });
    await expect(create()).rejects.toMatchObject({ code: 'quota_exceeded' });
    await expect(member.projects.create({ slug: 'first', name: 'x' })).rejects.toMatchObject({
      code: 'already_exists',
    });
    const removed = await outcomes(600, (n) => member.projects.remove(`flood-${n + 1}`));
    expect(removed).toEqual(new Map([['ok', 600]]));
    expect(slugsOf(await client.call('/projects'))).toHaveLength(flood - 600);
    // What items say goes on as ever.
    await client.push(item('projects/named/a.md'));
    expect(slugsOf(await client.call('/projects'))).toContain('named');
    member.close();
  });
});

/** Of them 20 projects, 150 decisions of 12 MiB, and 150 items of a guest with 5 MiB. */
const quotas = {
  ITEMS_PER_TEAM: '15000',
  ITEMS_PER_TEAM_MB: '100',
};

function declareFloods(service: () => RunningService): void {
  let flooded: TeamClients;
  let bystander: Awaited<ReturnType<typeof startBystander>>;
  beforeAll(async () => {
    flooded = await newTeam(service());
    bystander = await startBystander(service(), await service().createTeam());
  });
  afterAll(async () => {
    const seen = await bystander.stop();
    printFigures('floods of projects, decisions and items', seen);
    expect(seen.failures).toEqual([]);
    expect(seen.worstMs).toBeLessThan(bystanderBoundMs);
  });

  test('makes no more projects than it may, however many are asked for at once', async () => {
    const member = asMember(service(), flooded);
    const crowd = await asCrowd(service(), flooded);
    const ended = await outcomes(300, async (n) => {
      await crowd[n % crowdSize]?.projects.create({ slug: `p-${n}`, name: `P ${n}` });
    });
    for (const one of crowd) one.close();
    expect(ended.get('ok')).toBe(20);
    expect(ended.get('quota_exceeded')).toBe(280);
    const projects = slugsOf(await flooded.team.call('/projects'));
    expect(projects).toHaveLength(20);
    await member.projects.remove(projects[0] ?? '');
    await member.projects.create({ slug: 'again', name: 'Again' });
    member.close();
  });

  test('stores no more decisions of 1 MiB than it may, and has room for what it removes', async () => {
    const member = asMember(service(), flooded);
    const body = 'x'.repeat(mebibyte);
    const stored: string[] = [];
    const calls = 24;
    const ended = await outcomes(
      calls,
      async (n) => {
        const made = await member.decisions.create({ title: `D ${n}`, body, audience: 'team' });
        stored.push(made.decision_id);
        // A connection carries a few megabytes of bodies at once.
      },
      4,
    );
    expect(ended.get('ok')).toBe(stored.length);
    expect(ended.get('quota_exceeded')).toBe(calls - stored.length);
    expectQuota(stored.length, 11, 4);
    // Neither edits nor small ones pass what is left.
    const edit = member.decisions.edit(stored[0] ?? '', { body: `${body.slice(1)}y` });
    await expect(edit).rejects.toMatchObject({ code: 'quota_exceeded' });
    const crowd = await asCrowd(service(), flooded);
    const small = await outcomes(170, async (n) => {
      await crowd[n % crowdSize]?.decisions.create({ title: `S ${n}`, body: 'y', audience: 'team' });
    });
    for (const one of crowd) one.close();
    expectQuota(stored.length + (small.get('ok') ?? 0), 150, atOnce);
    for (const id of stored) await member.decisions.remove(id);
    await member.decisions.create({ title: 'Room', body, audience: 'team' });
    const gone = (await flooded.team.call('/decisions?include_deleted=true&limit=200')).body.decisions;
    expect(gone.filter(({ deleted }: { deleted?: boolean }) => deleted)).toHaveLength(stored.length);
    member.close();
  });

  test('lists no more names than are allowed, and guests leave half of them to the team', async () => {
    const { team, external } = await newTeam(service());
    const guest = Array.from({ length: 140 }, (_, n) =>
      item(`g/${n}.md`, 'x', { tier: 'external', frontmatter: { project: `guest-${n}` } }),
    );
    expect((await external.push(...guest)).body).toMatchObject({ accepted: 140 });
    expectQuota(slugsOf(await team.call('/projects')).length, 100, 40);
    for (let batch = 0; batch < 2; batch += 1) {
      const items = Array.from({ length: 100 }, (_, n) => item(`projects/own-${batch}-${n}/a.md`));
      expect((await team.push(...items)).body).toMatchObject({ accepted: 100 });
    }
    const listed = slugsOf(await team.call('/projects'));
    expectQuota(listed.length, 200, 40);
    // What guests left is all the team's.
    expect(listed.filter((slug) => slug.startsWith('own-')).length).toBeGreaterThanOrEqual(60);
  });

  test('takes no more items of a guest than its share, and goes on writing itself', async () => {
    const { team, external } = await newTeam(service());
    const items = (first: number, count: number, text = 'x') =>
      Array.from({ length: count }, (_, n) => item(`g/${first + n}.md`, text, { tier: 'external' }));
    expect((await external.push(...items(0, 100))).body).toMatchObject({ accepted: 100, rejected: 0 });
    const { status, body } = await external.push(...items(100, 100));
    expect(status).toBe(200);
    expect(body).toMatchObject({ accepted: 50, rejected: 50 });
    expect(body.errors[0]).toEqual({
      index: 50,
      row_key: 'g/150.md',
      code: 'quota_exceeded',
      detail: expect.any(String),
    });
    const refused = await external.push(...items(200, 2));
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({ ...problem('invalid_request'), accepted: 0, rejected: 2 });
    // What is removed makes room, and the team's own work never waited for any.
    expect((await team.push(item('own.md'))).body).toMatchObject({ accepted: 1 });
    expect((await external.remove('g/0.md')).status).toBe(204);
    expect((await external.push(...items(300, 1))).body).toMatchObject({ accepted: 1 });
    // Bytes have an end before items do.
    const other = await newTeam(service());
    const large = await other.external.push(...items(0, 7, 'y'.repeat(900 * 1024)));
    expect(large.body).toMatchObject({ accepted: 5, rejected: 2 });
  });
}

describeEachService('a team whose members and guests flood it', declareFloods, {
  environment: { ...plentyOfWrites, ...quotas },
});
