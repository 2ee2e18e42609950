import { expect, test } from 'vitest';
import { extractiveAnswer } from './extractive-answer.ts';
import { itemPassages } from './item.fixture.ts';
import { createTeamIndex } from './team-index.ts';

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
    sources: [{ rowKey: 'notes/4.md', title: 'Note 4', tier: 'team' }],
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

test.for(['[7]', '[ 12 ]', '[1, 2]', '[0]', '[^1]', '[１]', '【1】', '[\u200b1]', '[*1*]', '[①]'])(
  '%s in a quoted text cannot be read as a citation',
  (reference) => {
    const { parts } = answerFrom(
      [...filler, `The quota ${reference} is sixty writes.`],
      'What is the quota?',
    );
    expect(parts).toHaveLength(1);
    expect(parts[0]).not.toContain(reference);
    expect(parts.join('').match(/[[【].*?[\]】]/g)).toEqual(['[1]']);
    expect(parts[0]).toContain('is sixty writes. [1]');
  },
);

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
