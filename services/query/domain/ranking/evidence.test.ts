import { expect, test } from 'vitest';
import { indexInMemory } from '../../search-index/search-index.fixture.ts';
import { itemPassages } from '../passages/passages.fixture.ts';
import { evidenceOf } from './evidence.ts';

/** The evidence of the first passage found in a team of these texts. */
function evidence(texts: readonly string[], question: string): number {
  const index = indexInMemory();
  for (const [position, text] of texts.entries())
    index.apply(itemPassages(position + 1, text, { title: '' }));
  const findings = index.view('team').search(question, 10);
  const [best] = findings.passages;
  return best ? evidenceOf(best, findings.wanted) : 0;
}

const filler = Array.from(
  { length: 40 },
  (_, number) => `Lunch on day ${number} is at noon in room ${number}.`,
);
const backups = 'The backups are kept for ninety days.';

test('is more, the more of the question a passage has', () => {
  const of = (question: string) => evidence([...filler, backups], question);
  expect(of('backups kept ninety')).toBeGreaterThan(of('backups kept zebra'));
  expect(of('backups kept zebra')).toBeGreaterThan(of('backups melting zebra'));
});

test('is more where a passage returns to a word than where it has it in passing', () => {
  const often = 'Backups run. Backups are kept. Restore backups.';
  const once = 'Backups run. Lunch is kept. Restore tables.';
  const question = 'Which backups melt?';
  expect(evidence([...filler, often], question)).toBeGreaterThan(evidence([...filler, once], question));
});

test('is more for a word that is rare in general than for an everyday one, even if the team has both as often', () => {
  const of = (text: string) => evidence([...filler, text], 'largest desert');
  expect(of('A desert is dry.')).toBeGreaterThan(1.2 * of('A largest is dry.'));
});

test('is more where words stand together as in the question', () => {
  const of = (text: string) => evidence([...filler, text], 'ninety days');
  expect(of('Backups last ninety days here.')).toBeGreaterThan(of('Backups last days here, ninety.'));
});

test('is less for a word that was only guessed', () => {
  const of = (question: string) => evidence([...filler, backups], question);
  expect(of('bakcups')).toBeLessThan(0.9 * of('backups'));
});

test('means much the same in a small team as in a large one', () => {
  const small = evidence([backups], 'How long are backups kept?');
  const large = evidence([...filler, backups], 'How long are backups kept?');
  expect(small / large).toBeGreaterThan(0.8);
  expect(small / large).toBeLessThan(1.25);
});

test('does not ask a long passage among short notes to repeat itself', () => {
  const long = `${backups} ${'Other things are told here at length. '.repeat(30)}`;
  expect(evidence([...filler, long], 'How long are backups kept?')).toBeGreaterThan(0.36);
});

test('is enough with a smaller part of a question the longer it is', () => {
  const words = (count: number) => Array.from({ length: count }, (_, number) => `w${number}`).join(' ');
  const ofAQuarter = (count: number) => evidence([...filler, words(count / 4)], words(count));
  expect(ofAQuarter(48)).toBeGreaterThan(2 * ofAQuarter(8));
});
