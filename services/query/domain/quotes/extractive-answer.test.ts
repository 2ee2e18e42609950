import { expect, test } from 'vitest';
import { createTeamIndex } from '../index/team-index.ts';
import { itemPassages } from '../passages/item.fixture.ts';
import { extractiveAnswer } from './extractive-answer.ts';

/** Answers from items of these texts, named notes/1.md and so on. */
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

test('quotes the best sentences verbatim, each with its citation, and names its source', () => {
  const backups = 'Backups run nightly at three. They are kept for ninety days. Ask Ada for a restore.';
  expect(answerFrom([...filler, backups], 'How long are backups kept?')).toEqual({
    parts: [
      'Backups run nightly at three. [1]',
      ' They are kept for ninety days. [1]',
      ' Ask Ada for a restore. [1]',
    ],
    sources: [{ rowKey: 'notes/4.md', title: 'Note 4', tier: 'team', kind: 'item' }],
  });
});

test('is short where one sentence has all that is asked for', () => {
  const backups = 'Backups run nightly. Backups are kept for ninety days. Ask Ada for a restore.';
  const { parts } = answerFrom([...filler, backups], 'How long are backups kept?');
  expect(parts).toEqual(['Backups are kept for ninety days. [1]']);
});

test('numbers sources by importance, each once, and cites only numbers that are in the list', () => {
  const texts = [
    'The deploy freeze starts on Friday.',
    'The deploy freeze of the billing service starts on Thursday. The freeze of billing lasts longest.',
  ];
  const { parts, sources } = answerFrom(
    [...filler, ...texts],
    'When does the deploy freeze of billing start?',
  );
  expect(sources.map(({ rowKey }) => rowKey)).toEqual(['notes/5.md', 'notes/4.md']);
  expect(parts.map((part) => part.slice(-3))).toEqual(['[1]', '[1]', '[2]']);
});

test('sentences stand in reading order, at most four, and none twice', () => {
  const text =
    'Keys expire. Keys expire. Keys are hashed. Lunch is at one. Keys are secret. Keys have a tier.';
  const { parts } = answerFrom([...filler, text], 'keys expire hashed secret tier');
  expect(parts).toEqual([
    'Keys expire. [1]',
    ' Keys are hashed. [1]',
    ' Keys are secret. [1]',
    ' Keys have a tier. [1]',
  ]);
});

test('an item whose title says what is asked for is quoted, and not one that has the words in passing', () => {
  const index = createTeamIndex();
  const runbook = 'Use this when data was lost. Stop the workers, then fetch the newest copy.';
  index.apply(itemPassages(1, runbook, { title: 'Restore the database' }));
  const note = 'The cache is no database. Ada can restore pictures. The printer jams when it is humid.';
  index.apply(itemPassages(2, note));
  const { parts, sources } = extractiveAnswer(
    index.view('team').search('How do I restore the database?', 10),
  );
  expect(parts[0]).toBe('Use this when data was lost. [1]');
  expect(sources.map(({ rowKey }) => rowKey)).toEqual(['notes/1.md']);
});

test('of a table only the rows that have most of the question are quoted', () => {
  const table = '| host | port |\n|---|---|\n| mail | 587 |\n| cache | 6380 |\n| search | 9201 |';
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

test('another item is quoted only where it has more than half of what the best quote has', () => {
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
