import { expect, test } from 'vitest';
import { indexInMemory } from '../../search-index/search-index.fixture.ts';
import { itemPassages } from '../passages/passages.fixture.ts';
import { evidenceOf } from '../ranking/evidence.ts';
import type { WantedTerms } from '../ranking/wanted-terms.ts';

const notes = [
  'Report a missing laptop to the help desk within an hour. The device is locked and wiped.',
  'Everyone has 28 days of vacation a year. Agree on dates with your lead.',
  'If a release misbehaves, roll it back. The previous image is live after two minutes.',
  'Invoices to customers go out on the first working day of a month.',
  'Notes on the data science notebook of Ana, with charts of the retention of users.',
  'Jede Mitarbeiterin hat 30 Tage Urlaub im Jahr. Die Urlaubsregelung gilt auch für das Kundenportal-Team.',
  'Die Rechnungen werden von Sabine verschickt, nicht von der Leitung.',
  'Chaque salarié dispose de 25 jours de congés. Les demandes sont envoyées à la responsable.',
  'Backups are kept for ninety days in Stockholm and are restored each quarter.',
];

function viewOf(texts: readonly string[]) {
  const index = indexInMemory();
  for (const [position, text] of texts.entries()) index.apply(itemPassages(position + 1, text));
  return index.view('team');
}

const view = viewOf(notes);
const first = (question: string) => view.search(question, 5).passages[0]?.passage.rowKey;
const others = ({ telling }: WantedTerms) =>
  telling.flatMap(({ alternatives }) => alternatives.map(({ text }) => text));
const bestEvidence = (question: string) => {
  const { wanted, passages } = view.search(question, 5);
  return Math.max(0, ...passages.map((hit) => evidenceOf(hit, wanted)));
};

test.for([
  ['a notebook was stolen from my desk', 'notes/1.md'],
  ['How many days off do I get?', 'notes/2.md'],
  ['undo a bad deploy', 'notes/3.md'],
  ['When are clients billed?', 'notes/4.md'],
] as const)('%j finds what says the same in other words', ([question, rowKey]) => {
  expect(first(question)).toBe(rowKey);
});

test.for([
  ['Wie viele Urlaubstage habe ich?', 'notes/6.md'],
  ['Welche Regelung gibt es für den Urlaub?', 'notes/6.md'],
  ['Wer kümmert sich um eine Rechnung?', 'notes/7.md'],
  ['Combien de jours de congé ai-je ?', 'notes/8.md'],
  ['urlaub', 'notes/6.md'],
  ['Regelung', 'notes/6.md'],
] as const)('%j is found in the notes of its language', ([question, rowKey]) => {
  expect(first(question)).toBe(rowKey);
});

test('a question whose own words find enough is asked in no others', () => {
  expect(others(view.search('How long are backups kept?', 5).wanted)).toEqual([]);
});

test('other words are trusted less than the asker’s own', () => {
  const trusts = view
    .search('When are clients billed?', 5)
    .wanted.telling.flatMap(({ alternatives }) => alternatives.map(({ trust }) => trust));
  expect(trusts.length).toBeGreaterThan(0);
  expect(Math.max(...trusts)).toBeLessThan(1);
});

test('a name that no note has keeps other words from being enough', () => {
  const answerable = bestEvidence('When are clients billed?');
  expect(answerable).toBeGreaterThan(0.22);
  expect(bestEvidence('When are Zyxomma clients billed by Quuxly?')).toBeLessThan(0.7 * answerable);
});

test('an English word is never taken for another that it looks like', () => {
  const terms = viewOf(['The log is kept in the wake of talks.']).search('long wage task', 5).wanted.telling;
  expect(terms.map(({ text }) => text)).toEqual(['long', 'wage', 'task']);
});

test('words of another team are never searched for: alternatives are those of the view alone', () => {
  const few = viewOf(['The laptop is grey.']);
  expect(others(few.search('notebook stolen', 5).wanted)).toEqual(['laptop']);
});

test('what an item in another language had is forgotten with it', () => {
  const index = indexInMemory();
  index.apply(itemPassages(1, notes[6] ?? '', { rowKey: 'a.md' }));
  expect(index.view('team').statistics().languages).toEqual(['de']);
  index.apply(itemPassages(2, 'The invoices are sent by Sabine.', { rowKey: 'a.md' }));
  expect(index.view('team').statistics().languages).toEqual(['en']);
});
