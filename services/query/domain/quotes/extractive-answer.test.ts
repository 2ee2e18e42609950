import { liveMarkup } from '@teammemory/testkit/rendered-markup.ts';
import { expect, test } from 'vitest';
import { indexInMemory } from '../../search-index/search-index.fixture.ts';
import { itemPassages } from '../passages/passages.fixture.ts';
import { extractiveAnswer } from './extractive-answer.ts';

/** An answer from items of these texts, named notes/1.md and so on. */
function answerFrom(texts: readonly string[], question: string) {
  const index = indexInMemory();
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

test('a short note that answers is shown whole under its title, with one citation, and its source has the sentence that matched', () => {
  const backups = 'Copies run nightly at three. Backups are kept for ninety days. Ask Ada for a restore.';
  expect(answerFrom([...filler, backups], 'How long are backups kept?')).toEqual({
    parts: [`**Note 4**\n\n${backups} [1]`],
    sources: [
      {
        rowKey: 'notes/4.md',
        title: 'Note 4',
        tier: 'team',
        kind: 'item',
        quote: 'Backups are kept for ninety days.',
      },
    ],
  });
});

test('an item whose title says what is asked for is quoted under it, and before one that has the words in passing', () => {
  const index = indexInMemory();
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

test('what stands in two items is said once, however its lines are broken', () => {
  const { parts } = answerFrom(
    [...filler, 'Backups are kept for ninety days.', 'Backups are kept\nfor ninety days.'],
    'How long are backups kept?',
  );
  expect(parts).toHaveLength(1);
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

test.for<[place: string, text: string]>([
  ['a step', 'The heron says:\n\n1. text\n2. ```\n   <img src=y>\n   ```'],
  ['a quotation', 'The heron says:\n\n> ~~~\n> <img src=y>\n> ~~~'],
  ['code that is left open', 'The heron says: ```\n<b>a</b>\n```\n<img src=y>'],
])(
  'code at the end of a passage, in %s, ends before its citation, so that nothing below comes alive',
  ([, text]) => {
    const { parts } = answerFrom(
      [text, 'The heron eats.\n\n```\n<img src=x>\n```'],
      'What does the heron say and eat?',
    );
    expect(parts).toHaveLength(2);
    expect(parts.join('')).toMatch(/[`~]{3}\n\n\[1\]\n[\s\S]*```\n\n\[2\]$/);
    expect(liveMarkup(parts.join(''))).toEqual([]);
  },
);

test('rows of a table that is longer than a passage stand under its header', () => {
  const rows = Array.from(
    { length: 90 },
    (_, row) => `| host${row} | the rack of hall ${row} | ${6000 + row} |`,
  );
  const table = ['| host | place | port |', '|---|---|---|', ...rows, '| heron | the attic | 7070 |'];
  const { parts } = answerFrom([...filler, `Ports:\n\n${table.join('\n')}`], 'Where is heron?');
  expect(parts[0]).toMatch(
    /^\*\*Note 4\*\*\n\n\| host \| place \| port \|\n\|---\|---\|---\|\n(?:\| .* \|\n)+\n\[1\]$/,
  );
  expect(parts[0]).toContain('| heron | the attic | 7070 |');
  const loose = answerFrom([...filler, '| heron | the attic |'], 'Where is heron?');
  expect(loose.parts[0]).toBe('**Note 4**\n\n| heron | the attic |\n\n[1]');
});

test('refuses what too little of the question is covered by, and names the closest notes', () => {
  for (const question of ['Which tungsten alloy melts at noon?', 'zebra', '?!', 'What about it?']) {
    const { parts, sources } = answerFrom(filler, question);
    expect({ question, sources }).toEqual({ question, sources: [] });
    expect(parts.join('')).toMatch(/^No note answers this\./);
  }
  const { parts, closest } = answerFrom(filler, 'Which tungsten alloy melts at noon?');
  expect(parts.join('')).toBe('No note answers this.\n\nThe closest notes:\n\n- Note 1');
  expect(closest).toEqual([{ rowKey: 'notes/1.md', title: 'Note 1' }]);
  expect(
    answerFrom([...filler, 'Salaries are paid on the 25th.'], 'When are salaries paid?').closest,
  ).toBeUndefined();
});

test('a team without items is told so', () => {
  expect(answerFrom([], 'Anything?').sources).toEqual([]);
});

test('a question that a missing noun carries is refused; a name beside the point is said to be missing, and made inert', () => {
  const text = 'Members log in with a password and a second factor, then get a session for a day.';
  const ask = (how: string) =>
    answerFrom([text], `Do members log in with a password and a second factor or ${how} for a session?`);
  expect(answerFrom([text], 'What does the lawyer say of members?').sources).toEqual([]);
  expect(ask('LDAP').parts).toEqual(['No note mentions LDAP.\n\n', `**Note 1**\n\n${text} [1]`]);
  expect(ask('LDAP or SAML').parts).toEqual(['No note answers this.\n\nThe closest notes:\n\n- Note 1']);
  const long =
    'members log in with a password and a second factor from laptops and phones through the office tunnel';
  expect(answerFrom([long], `Do ${long}, or with LDAP or SAML?`).parts[0]).toBe(
    'No note mentions LDAP or SAML.\n\n',
  );
  expect(ask(`X${'y'.repeat(200)}`).parts[0]).toMatch(/No note mentions Xy{38}…\./);
  expect(ask('Acme.[9](javascript:x)<b>').parts.join('')).not.toMatch(/\[9\]|<b>/);
});

test('a question is refused where its carrying word is in no note, everyday word or not', () => {
  const notes = ['The ferry leaves at nine.', 'Lunch is at noon.', 'The printer jams when it is humid.'];
  expect(answerFrom(notes, 'Who is our lawyer for the ferry?').sources).toEqual([]);
  expect(answerFrom(notes, 'When does the ferry leave?').sources).toHaveLength(1);
});

test('a further note is shown where it is as near, or has the side of the question that the first lacks', () => {
  const sides = [
    'The contract of Skarvik ends on 31 December 2027, after the winter.',
    'The contract of Ostersiel ends on 31 March 2028, before the summer.',
    'Contracts are in the safe.',
  ];
  const question = 'When do the contracts of Skarvik and of Ostersiel end?';
  const { parts, sources } = answerFrom([...filler, ...sides], question);
  expect(sources.map(({ rowKey }) => rowKey).sort()).toEqual(['notes/4.md', 'notes/5.md']);
  expect(parts).toHaveLength(2);
  const far = ['The deploy freeze of billing starts on Thursday.', 'Billing is a word.'];
  expect(
    answerFrom([...filler, ...far], 'When does the deploy freeze of billing start?').sources,
  ).toHaveLength(1);
});

test("an answer has at most three passages in search's order and about 900 characters", () => {
  const notes = Array.from(
    { length: 8 },
    (_, place) => `Backups of host${place} are kept for ${place} days. ${padding}`,
  );
  const { parts } = answerFrom([...filler, ...notes], 'How long are backups kept?');
  expect(parts.length).toBeLessThanOrEqual(3);
  expect(parts.join('').length).toBeLessThan(950);
});
