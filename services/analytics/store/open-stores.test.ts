import { behavesAsOnSqlite } from '@teammemory/testkit/behaves-as-on-sqlite.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { type SeededRandom, seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keptSnapshot, scanMetrics } from '../domain/domain.fixture.ts';
import { codebaseStoreContract } from './codebase-store.contract.ts';
import type { AnalyticsStores } from './open-stores.ts';
import { openAnalyticsStores } from './open-stores.ts';
import { releaseStoreContract } from './release-store.contract.ts';
import { scanStoreContract } from './scan-store.contract.ts';
import { snapshotStoreContract } from './snapshot-store.contract.ts';

describeEachEngine('the analytics stores', (engine) => {
  let stores: AnalyticsStores;
  beforeEach(async () => {
    stores = await openAnalyticsStores(engine.storage());
  });
  afterEach(() => stores.close());

  describe('codebases', () => codebaseStoreContract(() => stores.codebases));
  describe('scans', () => scanStoreContract(() => stores.scans));
  describe('snapshots', () => snapshotStoreContract(() => stores.snapshots));
  describe('releases', () => releaseStoreContract(() => stores.releases));

  test('are ready once open, and keep everything when they are closed and opened again', async () => {
    await stores.ready();
    await randomOperations(stores, seededRandom(4));
    const before = await allRows(stores);
    await stores.close();
    stores = await openAnalyticsStores(engine.storage());
    expect(await allRows(stores)).toEqual(before);
  });

  behavesAsOnSqlite(engine, {
    open: openAnalyticsStores,
    stores: () => stores,
    operate: randomOperations,
    rows: allRows,
  });
});

const teamIds = ['t0', 't1'];
const names = ['a', 'b-1', '0', '$where', 'é'];
const days = ['2026-11-18', '2026-11-19', '2026-11-20'];
const versions = [1, 2, 3];
/** Enough for each operation to meet each state of its row several times. */
const operationsPerSeed = 200;

/** Runs operations on few names, so that they collide, and tells what each answered. */
async function randomOperations(stores: AnalyticsStores, random: SeededRandom): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (let index = 0; index < operationsPerSeed; index++) {
    answers.push(await randomOperation(stores, random, `id-${String(index).padStart(3, '0')}`));
  }
  return answers;
}

async function randomOperation(stores: AnalyticsStores, random: SeededRandom, id: string): Promise<unknown> {
  const { codebases, scans, snapshots } = stores;
  const teamId = random.pick(teamIds);
  const [name, other] = [random.pick(names), random.pick(names)];
  const [date, version] = [random.pick(days), random.pick(versions)];
  const old = `id-${String(random.integerBelow(operationsPerSeed)).padStart(3, '0')}`;
  const [limit, revision] = [1 + random.integerBelow(4), 1 + random.integerBelow(3)];
  const metric = 'aem-individual';
  const codebase = { codebaseId: id, slug: name, fullName: other, provider: id };
  const contributions = [{ member: other, commits: limit, agentCommits: 0 }];
  const metrics = scanMetrics({ headSha: other, readinessPct: limit });
  const scan = { id, codebaseId: name, metrics, contributions, issues: [], agenticScore: limit, version };
  const snapshot = keptSnapshot({ id, memberId: name, date, version, sessions: limit });
  const { canonical } = keptSnapshot();
  const operations = [
    () => codebases.put(teamId, codebase, { at: limit, maxOfTeam: 3 }),
    () => codebases.find(teamId, name),
    () => scans.put(teamId, scan, limit),
    () => scans.find(teamId, name, other),
    () => scans.keepNewest(teamId, name, { scans: 1 + limit, bytes: 500 * revision }),
    () => scans.ratedBefore(teamId, version, { version: revision, id: old }, limit),
    () => scans.rescore(teamId, [{ id: old, revision, version, agenticScore: 99.9 }]),
    () => snapshots.put(teamId, snapshot, { at: limit, counts: limit > 2, maxOfMember: 1 + revision }),
    () => snapshots.find(teamId, { memberId: name, date, metric }),
    () => snapshots.counted(teamId, { metric, after: { date, id: old }, to: random.pick(days), limit }),
    () => snapshots.ratedBefore(teamId, version, { version: revision, id: old }, limit),
    () => snapshots.rescore(teamId, [{ id: old, revision, version, canonical }]),
  ];
  return random.pick(operations)();
}

async function allRows({ codebases, scans, snapshots }: AnalyticsStores): Promise<unknown> {
  const beginning = { version: 0, id: '' };
  const wholeRange = {
    metric: 'aem-individual',
    after: { date: '', id: '' },
    to: '9999-12-31',
    limit: 1_000,
  };
  return Promise.all(
    teamIds.map(async (teamId) => ({
      codebases: await Promise.all(names.map((slug) => codebases.find(teamId, slug))),
      rated: await scans.ratedBefore(teamId, 4, beginning, 1_000),
      scans: await Promise.all(
        names.flatMap((codebaseId) => names.map((headSha) => scans.find(teamId, codebaseId, headSha))),
      ),
      snapshots: await snapshots.ratedBefore(teamId, 4, beginning, 1_000),
      counted: await snapshots.counted(teamId, wholeRange),
    })),
  );
}
