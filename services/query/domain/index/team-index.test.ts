import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { describe, expect, test } from 'vitest';
import { itemPassages } from '../passages/item.fixture.ts';
import type { ItemPassages } from '../passages/passage.ts';
import { extractiveAnswer } from '../quotes/extractive-answer.ts';
import { createTeamIndex, type TeamIndex } from './team-index.ts';

const questions = [
  'How long are backups kept?',
  'Which secret projekt is codenamed zephyr?',
  'What is the bilnig freeze?',
  'keys quota retention writes',
  'Who are we?',
];

/** All that a caller can learn, as bytes. */
function everythingSeen(index: TeamIndex): string {
  return JSON.stringify(
    questions.map((question) => {
      const findings = index.view('external').search(question, 1_000);
      const passages = findings.passages.map(({ passage, score }) => ({ passage, score }));
      const terms = findings.wanted.telling.map(({ text, weight, guessed }) => ({ text, weight, guessed }));
      return { terms, passages, answer: extractiveAnswer(findings) };
    }),
  );
}

function indexOf(items: readonly ItemPassages[]): TeamIndex {
  const index = createTeamIndex();
  for (const item of items) index.apply(item);
  return index;
}

/** Bytes of what is still referred to. */
function memoryInUse(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const external = [
  'Backups are kept for ninety days. Ask support.',
  'The billing freeze starts on Thursday.',
  'The quota is sixty writes a minute.\n\n## Keys\n\nKeys expire after ninety days.',
].map((text, position) => itemPassages(10 * position + 5, text, { tier: 'external' }));

const internal = [
  'The secret project is codenamed zephyr. Its backups are kept for ever.',
  'Billing has a bilnig incident every Thursday. projekt retention',
  ...Array.from(
    { length: 60 },
    (_, copy) => `Backups, quota and keys of customer${copy}. Writes are frozen.`,
  ),
].map((text, position) => itemPassages(100 + position, text, { tier: 'team' }));

describe('what an external key sees', () => {
  test('is the same to the last byte whether or not there is team-tier content', () => {
    const alone = everythingSeen(indexOf(external));
    expect(alone).toContain('ninety days');
    expect(everythingSeen(indexOf([...external, ...internal]))).toBe(alone);
    expect(everythingSeen(indexOf([...internal, ...external]))).toBe(alone);
  });

  test('is the same to the last byte after content was made internal, edited and removed', () => {
    const index = indexOf([
      ...external,
      ...internal.map((item): ItemPassages => ({ ...item, tier: 'external' })),
    ]);
    for (const [position, item] of internal.entries()) {
      const removed = position % 3 === 0 ? { passages: [] } : {};
      index.apply({ ...item, ...removed, seq: 1_000 + position });
    }
    expect(everythingSeen(index)).toBe(everythingSeen(indexOf(external)));
  });
});

describe('the index', () => {
  test('shows a team key both tiers', () => {
    const { passages } = indexOf([...external, ...internal])
      .view('team')
      .search('backups kept zephyr', 1_000);
    expect(new Set(passages.map(({ passage }) => passage.tier))).toEqual(new Set(['team', 'external']));
  });

  test('keeps the newest state of an item, whatever comes after it', () => {
    const index = createTeamIndex();
    index.apply(itemPassages(7, 'new words', { rowKey: 'a.md' }));
    index.apply(itemPassages(3, 'old words', { rowKey: 'a.md' }));
    const found = index.view('team').search('words', 10).passages;
    expect(found.map(({ passage }) => passage.text)).toEqual(['new words']);
  });

  test('taken over in steps and left after any of them, has one of the two states of an item, whole', () => {
    const former = itemPassages(1, '# Quota\n\nSixty.\n\n# Keys\n\nNinety days.', {
      rowKey: 'a.md',
      tier: 'external',
    });
    const present = itemPassages(2, '# Quota\n\nTen.\n\n# Freeze\n\nThursday.', {
      rowKey: 'a.md',
      tier: 'external',
    });
    const stateOf = (index: TeamIndex) =>
      JSON.stringify([everythingSeen(index), index.bytes(), index.unembeddedPassages()]);
    const states = [former, present].map((item) => stateOf(indexOf([item])));
    const seen = [1, 2, 3, 4, 5].map((steps) => {
      const index = indexOf([former]);
      const applying = index.applying(present);
      for (let step = 0; step < steps; step += 1) applying.next();
      applying.return(undefined);
      return states.indexOf(stateOf(index));
    });
    expect(seen).toEqual([0, 0, 1, 1, 1]);
  });

  test.for([1, 2, 3])('answers after random changes (seed %i) as if it had been built anew', (seed) => {
    const random = seededRandom(seed);
    const words = ['backups', 'quota', 'keys', 'freeze', 'billing', 'zephyr', 'retention', 'days'];
    const index = createTeamIndex();
    const present = new Map<string, ItemPassages>();
    for (let seq = 1; seq <= 300; seq += 1) {
      const text = Array.from({ length: random.integerBelow(12) }, () => random.pick(words)).join(' ');
      const rowKey = `${random.integerBelow(25)}.md`;
      const item = itemPassages(seq, text, { rowKey, tier: random.chance(0.5) ? 'team' : 'external' });
      index.apply(item);
      present.set(rowKey, item);
    }
    const anew = indexOf([...present.values()].reverse());
    expect(everythingSeen(index)).toBe(everythingSeen(anew));
    const all = (each: TeamIndex) =>
      each
        .view('team')
        .search(words.join(' '), 1_000)
        .passages.map(({ passage, score }) => [passage, score]);
    expect(all(index)).toEqual(all(anew));
    expect(index.bytes()).toBe(anew.bytes());
  });

  test('of long words is estimated at several times the memory of as many short ones', () => {
    const sizes = [8, 64].map((length) => {
      const words = Array.from({ length: 2_000 }, (_, index) => `${index}`.padEnd(length, 'x')).join(' ');
      return indexOf([itemPassages(1, words)]).bytes();
    });
    expect(sizes[1]).toBeGreaterThan(3 * (sizes[0] ?? 0));
  });

  test('is estimated at what an empty one takes when everything was removed', () => {
    const index = indexOf(external);
    const empty = createTeamIndex().bytes();
    expect(index.bytes()).toBeGreaterThan(empty + 1_000);
    for (const item of external) index.apply({ ...item, seq: item.seq + 1_000, passages: [] });
    expect(index.bytes()).toBe(empty);
  });

  test.each([0, 1, 20])('of %i short notes takes about the memory that it is estimated at', (notes) => {
    const items = Array.from({ length: notes }, (_, number) =>
      itemPassages(number + 1, `The ferry ${number} leaves at nine from harbour ${number}.`),
    );
    const before = memoryInUse();
    const indexes = Array.from({ length: 500 }, () => indexOf(items));
    const taken = (memoryInUse() - before) / indexes.length;
    const estimated = indexes[0]?.bytes() ?? 0;
    expect(taken / estimated).toBeGreaterThan(0.5);
    expect(taken / estimated).toBeLessThan(2);
  });

  test('a title that is also the first heading does not count twice', () => {
    const index = indexOf([
      itemPassages(1, '# Quota\n\nIt is sixty.', { title: 'Quota' }),
      itemPassages(2, 'It is sixty.', { title: 'Quota' }),
    ]);
    const [first, second] = index.view('team').search('quota', 10).passages;
    expect(first?.score).toBe(second?.score);
  });
});
