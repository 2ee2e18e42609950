import { expect, test } from 'vitest';
import { createNamedProjects } from './named-projects.ts';

/** A team's names in memory, and what admits more of them: at most ten, five of them by external items. */
function namesOf(...names: string[]) {
  const known = new Set(names);
  let nowMs = 0;
  let reads = 0;
  let lookUps = 0;
  const { admitted } = createNamedProjects({
    projects: {
      async named(_teamId, after, limit) {
        reads += 1;
        return [...known]
          .sort()
          .filter((name) => name > after)
          .slice(0, limit);
      },
      async isNamed(_teamId, slug) {
        lookUps += 1;
        return known.has(slug);
      },
    },
    maxProjects: 1,
    clock: () => nowMs,
  });
  const name = async (tier: 'team' | 'external', ...slugs: string[]) => {
    const [item] = await admitted('team', [{ rowKey: 'a.md', seq: 1, tier, slugs }]);
    for (const slug of item?.slugs ?? []) known.add(slug);
    return item?.slugs;
  };
  return {
    name,
    known,
    reads: () => reads,
    lookUps: () => lookUps,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

const slugs = (count: number, first = 0) => Array.from({ length: count }, (_, n) => `p${first + n}`);

test('names are admitted up to the bound, and names that are known always', async () => {
  const { name } = namesOf(...slugs(9));
  expect(await name('team', 'new', 'p3', 'newer')).toEqual(['new', 'p3']);
  expect(await name('external', 'new', 'newest')).toEqual(['new']);
});

test('guests leave half of the names to the team', async () => {
  const { name } = namesOf(...slugs(4));
  expect(await name('external', 'a', 'b')).toEqual(['a']);
  expect(await name('team', 'b')).toEqual(['b']);
  expect(await name('external', 'b', 'c')).toEqual(['b']);
});

test('names that nobody uses any more make room', async () => {
  const { name, known } = namesOf(...slugs(10));
  expect(await name('team', 'new')).toEqual([]);
  known.delete('p1');
  expect(await name('team', 'new', 'newer')).toEqual(['new']);
});

test('names that other processes brought are counted, the closer the bound the sooner', async () => {
  const { name, known, pass } = namesOf();
  expect(await name('team', 'a')).toEqual(['a']);
  for (const other of slugs(8)) known.add(other);
  // One of ten is far from the bound: what it knows is good for a minute.
  expect(await name('external', 'b')).toEqual(['b']);
  pass(60_000);
  expect(await name('external', 'c')).toEqual([]);
  known.delete('p1');
  expect(await name('team', 'c', 'd')).toEqual(['c']);
});

test('a name that many items have is looked for once a minute', async () => {
  const { name, reads, lookUps, pass } = namesOf('p1');
  expect(await name('team')).toEqual([]);
  for (let n = 0; n < 5; n += 1) expect(await name('team', 'p1')).toEqual(['p1']);
  expect([reads(), lookUps()]).toEqual([0, 1]);
  pass(60_000);
  expect(await name('external', 'p1')).toEqual(['p1']);
  expect([reads(), lookUps()]).toEqual([0, 2]);
});
