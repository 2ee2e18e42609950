import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { describe, expect, test } from 'vitest';
import type { ItemPassages } from '../domain/passages/passage.ts';
import { itemPassages } from '../domain/passages/passages.fixture.ts';
import { extractiveAnswer } from '../domain/quotes/extractive-answer.ts';
import { type IndexInMemory, indexInMemory } from './search-index.fixture.ts';

const questions = [
  'How long are backups kept?',
  'Which secret projekt is codenamed zephyr?',
  'What is the bilnig freeze?',
  'keys quota retention writes',
  'Who are we?',
];

/** All that a caller can learn, as bytes. */
function everythingSeen(index: IndexInMemory): string {
  return JSON.stringify(
    questions.map((question) => {
      const findings = index.view('external').search(question, 1_000);
      const passages = findings.passages.map(({ passage, score }) => ({ passage, score }));
      const terms = findings.wanted.telling.map(({ text, weight, trust }) => ({ text, weight, trust }));
      return { terms, passages, answer: extractiveAnswer(findings) };
    }),
  );
}

function indexOf(items: readonly ItemPassages[]): IndexInMemory {
  const index = indexInMemory();
  for (const item of items) index.apply(item);
  return index;
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
    const index = indexInMemory();
    index.apply(itemPassages(7, 'new words', { rowKey: 'a.md' }));
    index.apply(itemPassages(3, 'old words', { rowKey: 'a.md' }));
    const found = index.view('team').search('words', 10).passages;
    expect(found.map(({ passage }) => passage.text)).toEqual(['new words']);
  });

  test.for([1, 2, 3])('answers after random changes (seed %i) as if it had been built anew', (seed) => {
    const random = seededRandom(seed);
    const words = ['backups', 'quota', 'keys', 'freeze', 'billing', 'zephyr', 'retention', 'days'];
    const index = indexInMemory();
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
    const all = (each: IndexInMemory) =>
      each
        .view('team')
        .search(words.join(' '), 1_000)
        .passages.map(({ passage, score }) => [passage, score]);
    expect(all(index)).toEqual(all(anew));
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

test('to replace an item takes no longer where many other passages have its words', () => {
  const text = Array.from({ length: 100 }, (_, place) => `word${place}`).join(' ');
  const passages = Array.from({ length: 300 }, (_, ordinal) => ({ ordinal, headings: [], text }));
  let seq = 0;
  const replace = (index: IndexInMemory, name: number) => {
    seq += 1;
    const startedMs = performance.now();
    index.apply({ rowKey: `${name}.md`, title: 'Words', seq, tier: 'external', passages });
    return performance.now() - startedMs;
  };
  const quickest = (items: number) => {
    const index = indexInMemory();
    for (let name = 0; name < items; name += 1) replace(index, name);
    return Math.min(...Array.from({ length: 5 }, (_, name) => replace(index, name % items)));
  };
  const [few, many] = [quickest(2), quickest(32)];
  console.log(
    `to replace an item of 300 passages: ${few.toFixed()} ms beside 1, ${many.toFixed()} ms beside 31`,
  );
  expect(many / few).toBeLessThan(4);
});
