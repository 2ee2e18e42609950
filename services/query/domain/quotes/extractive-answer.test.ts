import { expect, test } from 'vitest';
import { createTeamIndex } from '../index/team-index.ts';
import { itemPassages } from '../passages/passages.fixture.ts';
import { extractiveAnswer } from './extractive-answer.ts';

/** An answer from items of these texts, named notes/1.md and so on. */
function answerFrom(texts: readonly string[], question: string) {
  const index = createTeamIndex();
  for (const [position, text] of texts.entries()) index.apply(itemPassages(position + 1, text));
  return extractiveAnswer(index.view('team').search(question, 10));
}

const filler = [
  'Lunch is at noon. The kitchen closes at two.',
  'The printer on the second floor jams when it is humid.',
  'Vacation requests go to the office by mail.',
];

/** A paragraph too long to be shown whole, so that its sentences are chosen one by one. */
const padding = 'The harbour is cold in winter and nobody swims there. '.repeat(12);

test('a short section that answers is shown whole, verbatim, with one citation, and its source is named', () => {
  const backups = 'Backups run nightly at three. They are kept for ninety days. Ask Ada for a restore.';
  expect(answerFrom([...filler, backups], 'How long are backups kept?')).toEqual({
    parts: [`${backups} [1]`],
    sources: [{ rowKey: 'notes/4.md', title: 'Note 4', tier: 'team', kind: 'item' }],
  });
});

test('of a long section only what answers is shown', () => {
  const backups = `${padding}Backups are kept for ninety days. ${padding}`;
  const { parts } = answerFrom([...filler, backups], 'How long are backups kept?');
  expect(parts).toEqual(['Backups are kept for ninety days. [1]']);
});

test.each([
  [
    'other words for the same',
    'When do employees of the Lisbon office get their salary?',
    padding,
    'Staff of the Lisbon office receive their wages on the 25th.',
  ],
  [
    'other forms, in the language of the note',
    'Wer hat die Rechnung der Miete in Hamburg geprüft?',
    'Im Winter ist der Hafen kalt, und niemand schwimmt dort. '.repeat(12),
    'Die Rechnungen aller Mieten in Hamburg prüft Frau Berger.',
  ],
])('of a long section what answers in %s is shown', (_, question, before, answering) => {
  const { parts } = answerFrom([...filler, `${before}${answering} ${before}`], question);
  expect(parts).toEqual([`${answering} [1]`]);
});

test('numbers sources by what most probably answers, each once, and cites only numbers that are in the list', () => {
  const texts = [
    'The deploy freeze of billing starts soon.',
    'The deploy freeze of billing starts on Thursday.',
  ];
  const { parts, sources } = answerFrom(
    [...filler, ...texts],
    'When does the deploy freeze of billing start?',
  );
  expect(sources.map(({ rowKey }) => rowKey)).toEqual(['notes/5.md', 'notes/4.md']);
  expect(parts.map((part) => part.slice(-3))).toEqual(['[1]', '[2]']);
});

test('sentences stand in reading order, and none twice', () => {
  const text = `${padding}Keys expire. Keys expire. Keys are hashed. ${padding}`;
  const { parts } = answerFrom([...filler, text], 'keys hashed expire');
  expect(parts).toEqual(['Keys expire. [1]', ' Keys are hashed. [1]']);
});

test('an item whose title says what is asked for is quoted under it, and before one that has the words in passing', () => {
  const index = createTeamIndex();
  const runbook = 'Use this when data was lost. Stop the workers, then fetch the newest copy.';
  index.apply(itemPassages(1, runbook, { title: 'Restore the database' }));
  const note = 'The cache is no database. Ada can restore pictures. The printer jams when it is humid.';
  index.apply(itemPassages(2, note));
  const { parts, sources } = extractiveAnswer(
    index.view('team').search('How do I restore the database?', 10),
  );
  expect(parts[0]).toBe(`**Restore the database**\n\n${runbook} [1]`);
  expect(sources[0]?.rowKey).toBe('notes/1.md');
});

test('of a table only the row that has what is asked for is shown, under the head', () => {
  const rows = Array.from({ length: 20 }, (_, row) => `| host${row} | ${9_000 + row} |`);
  const table = ['# Ports', '', '| host | port |', '|---|---|', ...rows, '| cache | 6380 |'].join('\n');
  const { parts } = answerFrom([...filler, table], 'Which port has the cache got?');
  expect(parts).toEqual(['| host | port |\n|---|---|\n| cache | 6380 |\n\n[1]']);
});

test('what stands in two items is said once, however its lines are broken', () => {
  const { parts } = answerFrom(
    [...filler, 'Backups are kept for ninety days.', 'Backups are kept\nfor ninety days.'],
    'How long are backups kept?',
  );
  expect(parts).toHaveLength(1);
});

test('another item is quoted only where it may well have the answer', () => {
  const texts = [
    'Nightly backups of the billing database are encrypted. Lunch.',
    'The billing office is open.',
  ];
  const { sources } = answerFrom(
    [...filler, ...texts],
    'Are nightly backups of the billing database encrypted by us?',
  );
  expect(sources.map(({ rowKey }) => rowKey)).toEqual(['notes/4.md']);
});

test.for([
  '[7]',
  '[ 12 ]',
  '[1, 2]',
  '[0]',
  '[^1]',
  '[１]',
  '【1】',
  '[\u200b1]',
  '[*1*]',
  '[①]',
  '&#91;1&#93;',
])('%s in a quoted text cannot be read as a citation', (reference) => {
  const { parts } = answerFrom([...filler, `The quota ${reference} is sixty writes.`], 'What is the quota?');
  expect(parts).toHaveLength(1);
  expect(parts[0]).not.toContain(reference);
  expect(parts.join('').match(/[[【].*?[\]】]/g)).toEqual(['[1]']);
  expect(parts[0]).toContain('is sixty writes. [1]');
});

test('says that nothing was found where too little of the question is covered', () => {
  for (const question of ['Which tungsten alloy melts at noon?', 'zebra', '?!', 'What about it?']) {
    const { parts, sources } = answerFrom(filler, question);
    expect({ question, sources }).toEqual({ question, sources: [] });
    expect(parts.join('')).toBe("Nothing in this team's memory answers this question.");
  }
});

test('a team without items is told so', () => {
  expect(answerFrom([], 'Anything?').sources).toEqual([]);
});

test('says first which names of the question no note mentions, as they were asked, and made inert', () => {
  const text = 'Members log in with a password and a second factor, then get a session for a day.';
  const ask = (how: string) =>
    answerFrom([text], `Do members log in with a password or ${how}?`).parts.join('');
  expect(ask('LDAP')).toBe(`No note mentions LDAP.\n\n${text} [1]`);
  expect(ask('LDAP or SAML')).toMatch(/^No note mentions LDAP or SAML\.\n\n/);
  expect(ask(`X${'y'.repeat(200)}`)).toMatch(/^No note mentions Xy{38}…\.\n\n/);
  expect(ask('Acme.[9](javascript:x)<b>')).not.toMatch(/\[9\]|<b>/);
});
