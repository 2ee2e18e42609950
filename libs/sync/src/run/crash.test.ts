import fc from 'fast-check';
import { expect, it } from 'vitest';
import { resolveConflict } from '../resolve.ts';
import type { SyncSummary } from '../summary.ts';
import { numberOf } from '../testing/environment.ts';
import { createFakeService, type FakeService, lostAnswer } from '../testing/fake-service.fixture.ts';
import {
  createMemoryFileSystem,
  dyingFileSystem,
  type MemoryFileSystem,
} from '../testing/memory-file-system.fixture.ts';
import { createReplica, type Replica } from '../testing/replica.fixture.ts';

/** SYNC_CRASHES=2000 takes about a minute; the default takes seconds. */
const runs = numberOf('SYNC_CRASHES', 500);
const rowKeys = ['a.md', 'b.md', 'sub/c.md', 'sub'] as const;
const maxRounds = 6;

const edits = ['edit', 'edit', 'insert', 'remove', 'rename', 'sync', 'sync both'] as const;
type Edit = [kind: (typeof edits)[number], which: number, key: number, detail: number];
const edit: fc.Arbitrary<Edit> = fc.tuple(fc.constantFrom(...edits), fc.nat(1), fc.nat(2), fc.nat(9));

/** How the run that is watched ends: the process dies, one call fails, or an answer is lost. */
const ends = ['dies', 'dies', 'dies', 'EIO', 'ENOSPC', 'EACCES', 'answer lost'] as const;
const end = fc.tuple(fc.constantFrom(...ends), fc.integer({ min: 1, max: 60 }));

class Folders {
  readonly service: FakeService = createFakeService({ history: 200 });
  readonly alive = new Set<string>();
  replicas: Replica[] = [];
  private words = 0;

  async open(): Promise<void> {
    this.replicas = [
      await createReplica(this.service, { member: 'ada', root: '/ada' }),
      await createReplica(this.service, { member: 'bob', root: '/bob' }),
    ];
  }

  private word(): string {
    this.words += 1;
    this.alive.add(`w${this.words}\n`);
    return `w${this.words}\n`;
  }

  private bury(text: string, kept = ''): void {
    for (const word of wordsOf(text)) if (!kept.includes(word)) this.alive.delete(word);
  }

  async take([kind, which, key, detail]: Edit): Promise<void> {
    const replica = this.replicas[which] as Replica;
    const rowKey = rowKeys[key] as string;
    const text = replica.text(rowKey);
    if (kind === 'sync') await replica.sync({ allowRemovals: true });
    else if (kind === 'sync both') {
      // Their calls of the service take turns.
      await Promise.all(this.replicas.map((each) => each.sync({ allowRemovals: true })));
    } else if (kind === 'remove') {
      this.bury(text ?? '');
      replica.drop(rowKey);
    } else if (kind === 'rename') {
      const to = rowKeys[detail % 3] as string;
      if (text !== undefined && replica.text(to) === undefined) replica.move(rowKey, to);
    } else {
      const lines = wordsOf(text ?? 'one\ntwo\nthree\nfour\n');
      lines.splice(detail % Math.max(1, lines.length), kind === 'edit' ? 1 : 0, this.word());
      this.bury(text ?? '', lines.join(''));
      replica.write(rowKey, lines.join(''));
    }
  }

  check(when: string): void {
    const texts = this.replicas.flatMap((replica) => replica.files().map((file) => replica.text(file) ?? ''));
    for (const { content } of this.service.items().values()) texts.push(content);
    const everything = new Set(texts.flatMap(wordsOf));
    expect(
      [...this.alive].filter((word) => !everything.has(word)),
      when,
    ).toEqual([]);
  }

  async settle(): Promise<void> {
    for (let round = 1; ; round++) {
      const writes = this.service.writes();
      const summaries: SyncSummary[] = [];
      for (const replica of this.replicas) {
        summaries.push(await replica.sync({ allowRemovals: true }));
        this.check(`after ${replica.root} ran`);
        await this.mergeByHand(replica);
      }
      const isQuiet = summaries.every(
        ({ conflicts, written, removed_here, renamed, merged }) =>
          conflicts.length + written.length + removed_here.length + renamed.length + merged.length === 0,
      );
      if (isQuiet && writes === this.service.writes()) return;
      expect(round, JSON.stringify(summaries)).toBeLessThan(maxRounds);
    }
  }

  private mergeByHand(replica: Replica): Promise<void> {
    return replica.within(async (workspace) => {
      for (const [rowKey, { conflict }] of [...workspace.state.base]) {
        if (conflict === undefined) continue;
        const mine = replica.text(rowKey) ?? '';
        const theirs = conflict.copy === undefined ? '' : (replica.text(conflict.copy) ?? '');
        const missing = wordsOf(theirs).filter((word) => !mine.includes(word));
        replica.write(rowKey, mine + missing.join(''));
        await resolveConflict(workspace, rowKey, 'merged');
      }
    });
  }
}

function wordsOf(text: string): string[] {
  return text.match(/[^\n]*\n/g) ?? [];
}

/** Runs on a disk that dies or fails; whatever that throws is what the user would have seen. */
async function failingRun(folders: Folders, kind: (typeof ends)[number], at: number): Promise<void> {
  const { disk } = folders.replicas[0] as Replica;
  const isLost = kind === 'answer lost';
  const dying = dyingFileSystem(
    disk,
    isLost ? Number.POSITIVE_INFINITY : at,
    kind === 'dies' ? undefined : kind,
  );
  let answers = 0;
  const after = () => {
    answers += 1;
    if (isLost && answers === (at % 5) + 2) throw lostAnswer();
  };
  const options = { member: 'ada', root: '/ada', disk, files: dying.files, after };
  const replica = await createReplica(folders.service, options);
  const error = await replica.sync({ allowRemovals: true }).then(
    () => undefined,
    (thrown: { code?: string }) => thrown,
  );
  const expected = kind === 'dies' ? 'DIED' : kind;
  if (error !== undefined) expect([expected, 'unreachable'], String(error)).toContain(error.code);
  removeLockOfTheDead(disk);
}

/** The command would have ended; the process of this test still runs, so a lock that is left would count as held. Taking over is tested in lock.test.ts. */
function removeLockOfTheDead(disk: MemoryFileSystem): void {
  disk.drop('/ada/.tms/lock');
  disk.drop('/ada/.tms/lock.takeover');
}

it(`after each of ${runs} runs that die or fail at any step, nothing is lost, and the next runs bring all in step`, {
  timeout: 60_000 + runs * 200,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(edit, { maxLength: 5 }),
      fc.array(edit, { minLength: 1, maxLength: 6 }),
      fc.array(end, { minLength: 1, maxLength: 3 }),
      async (before, taken, failures) => {
        const folders = new Folders();
        await folders.open();
        for (const one of before) await folders.take(one);
        for (const replica of folders.replicas) await replica.sync({ allowRemovals: true });
        for (const one of taken) await folders.take(one);
        for (const [kind, at] of failures) {
          await failingRun(folders, kind, at);
          folders.check(`after a run that ended: ${kind} at ${at}`);
        }
        await folders.settle();
        const items = Object.fromEntries(
          [...folders.service.items()].map(([rowKey, { content }]) => [rowKey, content]),
        );
        for (const replica of folders.replicas) {
          const files = replica.files().map((file) => [file, replica.text(file)]);
          expect(Object.fromEntries(files), replica.root).toEqual(items);
        }
      },
    ),
    { numRuns: runs, seed: numberOf('SYNC_SEED', 20_261_122) },
  );
});

it('the failing file system reaches every step of a run that writes, merges, pushes and removes', async () => {
  const disk = createMemoryFileSystem();
  const service = createFakeService();
  const counting = dyingFileSystem(disk, Number.POSITIVE_INFINITY);
  const replica = await createReplica(service, { root: '/ada', disk, files: counting.files });
  replica.write('a.md', 'a\n');
  service.put('b.md', 'b\n');
  await replica.sync();
  expect(counting.changes()).toBeGreaterThan(10);
  expect(counting.changes()).toBeLessThan(60);
});
