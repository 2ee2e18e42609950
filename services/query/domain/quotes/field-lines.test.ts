import { expect, test } from 'vitest';
import { indexInMemory } from '../../search-index/search-index.fixture.ts';
import { type Fields, noFields } from '../passages/passage.ts';
import { itemPassages } from '../passages/passages.fixture.ts';
import { extractiveAnswer } from './extractive-answer.ts';

/** The answer from a note with these fields, among others without. */
function answer(question: string, said: Partial<Fields>, rowKey = 'support/handbook.md') {
  const index = indexInMemory();
  const filler = ['Lunch is at noon.', 'The printer jams.', 'Rooms are booked by mail.'];
  for (const [place, text] of filler.entries()) index.apply(itemPassages(place + 1, text));
  const text = 'This is for all who take the phone.\n\n# Hours\n\nWe open at nine.';
  const fields = { ...noFields, ...said };
  index.apply(itemPassages(9, text, { rowKey, title: 'Handbook', fields }));
  return extractiveAnswer(index.view('team').search(question, 10));
}

const said = { owner: 'hugo', status: 'draft', project: 'sso', date: '2026-10-22', tags: ['faq'] };

test.for([
  'who owns the handbook',
  'owner of the handbook',
  'who is responsible for the handbook?',
  'status of the handbook',
  'date of the handbook',
  'handbook verantwortlich',
])('what a note says of itself is quoted where it is asked for: %s', (question) => {
  const { parts, sources } = answer(question, said);
  expect(parts.join('')).toContain(
    'project: sso · owner: hugo · status: draft · date: 2026-10-22 · tags: faq [1]',
  );
  expect(sources).toMatchObject([
    {
      rowKey: 'support/handbook.md',
      title: 'Handbook',
      tier: 'team',
      kind: 'item',
      date: '2026-10-22',
      status: 'draft',
    },
  ]);
});

test('nothing of it is quoted where something else is asked for, or the note does not say it', () => {
  expect(answer('when does the handbook say that we open', said).parts.join('')).not.toContain('owner');
  expect(answer('who owns the handbook', { status: 'draft' }).parts.join('')).not.toContain('draft');
});

test('notes are found by project, tags and the words of their path alone', () => {
  for (const question of ['sso', 'faq']) expect(answer(question, said).sources).toHaveLength(1);
  expect(answer('support', {}).sources).toHaveLength(1);
  expect(answer('sso', {}).sources).toEqual([]);
});

test('a note in another language is asked in that language for what it says of itself', () => {
  const index = indexInMemory();
  const filler = ['Das Mittagessen gibt es um zwölf.', 'Der Drucker ist nicht mit dem Netz verbunden.'];
  for (const [place, text] of filler.entries()) index.apply(itemPassages(place + 1, text));
  const text = 'Das ist für alle, die am Telefon sind.\n\n# Zeiten\n\nWir öffnen um neun.';
  const fields = { ...noFields, ...said };
  index.apply(itemPassages(9, text, { title: 'Handbücher für den Empfang', fields }));
  const question = 'Wer ist verantwortlich für das Handbuch für den Empfang?';
  expect(extractiveAnswer(index.view('team').search(question, 10)).parts.join('')).toContain('owner: hugo');
});
