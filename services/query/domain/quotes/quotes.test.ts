import { expect, test } from 'vitest';
import { createTeamIndex } from '../index/team-index.ts';
import { itemPassages } from '../passages/item.fixture.ts';
import { quotesOf } from './quotes.ts';

/** The quotes of the best passage for a question, the best first. */
function quotes(text: string, question: string, rank = 0) {
  const index = createTeamIndex();
  index.apply(itemPassages(1, text));
  const findings = index.view('team').search(question, 1);
  const found = findings.passages.flatMap((hit) => quotesOf(hit, rank, findings));
  return found.toSorted((left, right) => right.score - left.score);
}

test('the sentence with more of the question, and with its words side by side, comes first', () => {
  const text = 'The limit of a write is the rate. The write rate limit is sixty. The rate is high.';
  const ordered = quotes(text, 'What is the write rate limit?').map(({ text: quote }) => quote);
  expect(ordered).toEqual([
    'The write rate limit is sixty.',
    'The limit of a write is the rate.',
    'The rate is high.',
  ]);
});

test('only a sentence with all that the passage has of the question is complete', () => {
  const text = 'Backups are kept for ninety days. Backups run at night.';
  expect(quotes(text, 'How long are backups kept?').map(({ complete }) => complete)).toEqual([true, false]);
  expect(quotes(text, 'How long are backups kept at night?').map(({ complete }) => complete)).not.toContain(
    true,
  );
});

test('a sentence counts as saying what the headings above it say', () => {
  const text = '# Office\n\nWe go to Main Street on Monday.';
  expect(quotes(text, 'When does the office go to Main Street?')[0]).toMatchObject({
    covered: 1,
    complete: true,
  });
});

test('of another passage than the best only what is to the point may be quoted', () => {
  const text = 'Backups are kept for ninety days. Ask for a restore.';
  expect(quotes(text, 'How long are backups kept?', 0)).toHaveLength(2);
  expect(quotes(text, 'How long are backups kept?', 1)).toHaveLength(1);
});
