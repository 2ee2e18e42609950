import { expect, test } from 'vitest';
import { indexInMemory } from '../../search-index/search-index.fixture.ts';
import { type Fields, noFields, type Tier } from '../passages/passage.ts';
import { itemPassages } from '../passages/passages.fixture.ts';
import type { Findings } from '../views/search-view.ts';
import { evidenceOf } from './evidence.ts';

interface Note extends Partial<Fields> {
  key: string;
  text: string;
  title?: string;
  tier?: Tier;
}

function indexOf(notes: readonly Note[]) {
  const index = indexInMemory();
  const filler = ['Lunch is at noon.', 'The printer jams.', 'Rooms are booked by mail.'];
  for (const [place, text] of filler.entries()) index.apply(itemPassages(place + 1, text));
  for (const [place, { key, text, title = 'Expenses', tier = 'team', ...said }] of notes.entries()) {
    const fields = { ...noFields, ...said };
    index.apply(itemPassages(place + 10, text, { rowKey: key, title, tier, fields }));
  }
  return index;
}

/** The keys of what is found, best first, on 20 November 2026. */
function found(notes: readonly Note[], question: string, tier: Tier = 'team') {
  const { passages } = indexOf(notes).view(tier).search(question, 10, { today: '2026-11-20' });
  return passages.map(({ passage }) => passage.rowKey);
}

const older = { key: 'older', text: 'A hotel may cost 110 euros.', date: '2025-03-01' };
const newer = {
  key: 'newer',
  text: 'A hotel in a town of some size may cost 130 euros.',
  date: '2026-03-01',
};

test('of two of a series that are as relevant the newer stands first', () => {
  expect(found([older, newer], 'How much may a hotel cost?')).toEqual(['newer', 'older']);
  // Of the same day the shorter one is the more relevant.
  expect(found([older, { ...newer, date: older.date }], 'How much may a hotel cost?')).toEqual([
    'older',
    'newer',
  ]);
});

test('a day that is still to come makes nothing newer than what holds today', () => {
  const question = 'How much may a hotel cost?';
  expect(found([older, { ...newer, date: '2199-12-31' }], question)).toEqual(['older', 'newer']);
  // Somewhere it is tomorrow already.
  expect(found([older, { ...newer, date: '2026-11-21' }], question)).toEqual(['newer', 'older']);
});

test('scores fall with the places', () => {
  const { passages } = indexOf([older, newer]).view('team').search('How much may a hotel cost?', 10);
  const scores = passages.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((left, right) => right - left));
});

test('what is newer but has less of the question, or is of another series, stays where it is', () => {
  const question = 'How much may a hotel cost?';
  const lesser = { ...newer, text: 'A hotel was found by Ada, and everybody liked it a lot.' };
  expect(found([older, lesser], question)).toEqual(['older', 'newer']);
  expect(found([older, { ...newer, title: 'Trip to Rome' }], question)).toEqual(['older', 'newer']);
  expect(
    found(
      [
        { ...older, project: 'a' },
        { ...newer, project: 'b' },
      ],
      question,
    ),
  ).toEqual(['older', 'newer']);
});

test('days of a change say nothing against days that are named', () => {
  const changed = { ...newer, date: '2026-11-19', isDatedByChange: true };
  expect(found([older, changed], 'How much may a hotel cost?')).toEqual(['older', 'newer']);
});

test('sections of a text are as new as their headings say', () => {
  const sections = (days: readonly string[]) =>
    `# Changes\n\n${days.map((day) => `## ${day}\n\nThe timeout is ${day.slice(5, 7)} seconds.\n`).join('\n')}`;
  const index = indexOf([
    { key: 'changes', text: sections(['2026-03-02', '2026-09-02', '2025-01-02']), title: 'Changes' },
  ]);
  const { passages } = index.view('team').search('timeout seconds', 3, { today: '2026-11-20' });
  expect(passages.map(({ passage }) => passage.headings.at(-1))).toEqual([
    ...['2026-09-02', '2026-03-02', '2025-01-02'],
  ]);
});

const archived = { ...older, key: 'archived', title: 'Hotels', isOutdated: true, status: 'archived' };

test('what is outdated stands behind what holds, whatever their days, unless it is asked for', () => {
  const holds = { ...newer, date: '2024-01-01' };
  expect(found([archived, holds], 'How much may a hotel cost?')).toEqual(['newer', 'archived']);
  expect(found([archived, holds], 'How much could a hotel cost formerly?')[0]).toBe('archived');
  expect(found([archived, holds], 'Was durfte ein hotel früher kosten, cost?')[0]).toBe('archived');
  expect(found([archived, holds], 'What may a hotel cost in March 2025?')[0]).toBe('archived');
});

test('what is outdated is found where nothing took its place', () => {
  const other = { ...newer, text: 'A taxi may cost 20 euros.' };
  expect(found([archived, other], 'How much may a hotel cost?')[0]).toBe('archived');
});

test('a draft, and what holds from a later day on, take the place of nothing', () => {
  const question = 'How much may a hotel cost?';
  expect(found([older, { ...newer, status: 'draft' }], question)).toEqual(['older', 'newer']);
  expect(found([older, { ...newer, title: 'Expenses from 1 January 2027' }], question)).toEqual([
    ...['older', 'newer'],
  ]);
});

test('notes of the time that is asked for come first, and the others behind them', () => {
  const week = (key: string, date: string, more: string) => ({
    key,
    date,
    title: 'Weekly report',
    text: `${more} tickets came in. The team is well.`,
  });
  const weeks = [
    week('w45', '2026-11-02', 'Many support'),
    week('w46', '2026-11-09', '71'),
    week('w47', '2026-11-16', '64 support'),
  ];
  expect(found(weeks, 'how many tickets came in last week')).toEqual(['w46', 'w47', 'w45']);
  expect(found(weeks, 'tickets in the week of 2 November')[0]).toBe('w45');
  expect(found(weeks, 'support tickets before 2026-11-05')[0]).toBe('w45');
  expect(found(weeks, 'support tickets')[0]).toBe('w47');
});

test('what is of the time that is asked for need not name it in the same words', () => {
  const visit = { key: 'visit', text: 'Yann met the harbour master of Skarvik.', title: 'Trip' };
  const evidence = (date: string) => {
    const view = indexOf([
      { ...visit, date },
      { ...visit, key: 'other', date: '2024-01-01' },
    ]).view('team');
    const { passages, wanted } = view.search('Whom did Yann meet in November 2026?', 1, {
      today: '2026-11-20',
    });
    return passages.map((hit) => evidenceOf(hit, wanted))[0] ?? 0;
  };
  expect(evidence('2026-11-09')).toBeGreaterThan(evidence('2026-10-09'));
});

const wordsOf = ({ words }: Findings) => words.map(({ text }) => text);

test('words for a time are not missed in notes of that time', () => {
  const visit = {
    key: 'visit',
    text: 'Yann besuchte den Hafen von Skarvik.',
    title: 'Reise',
    date: '2026-11-09',
  };
  const asked = (question: string) =>
    wordsOf(indexOf([visit]).view('team').search(question, 5, { today: '2026-11-20' }));
  expect(asked('Wen besuchte Yann Anfang November 2026?')).toEqual(['Wen', 'besuchte', 'Yann']);
  expect(asked('Wen besuchte Yann im Januar 2025?')).toContain('Januar');
});

test('the latest of a series is found where another has more of the words', () => {
  const drills = [
    { ...older, text: 'Restore drill: result of the drill was good, result two hours.', title: 'Drill' },
    {
      ...newer,
      text: 'The drill took one hour, a result that everybody on the team was glad of.',
      title: 'Drill',
    },
  ];
  expect(found(drills, 'result of the drill')).toEqual(['older', 'newer']);
  expect(found(drills, 'latest result of the drill')).toEqual(['newer', 'older']);
});

test('where no note names a day, and all were changed on one, nothing moves', () => {
  const undated = [older, newer].map((note) => ({ ...note, date: '2026-11-20', isDatedByChange: true }));
  for (const question of ['How much may a hotel cost?', 'latest hotel cost', 'hotel cost last week']) {
    const { passages } = indexOf(undated).view('team').search(question, 10, { today: '2026-11-20' });
    const keys = passages.map(({ passage }) => passage.rowKey);
    expect(keys.slice(0, 2)).toEqual(['older', 'newer']);
    expect(passages.every(({ newer: before }) => before === undefined)).toBe(true);
  }
});

test('what external keys find does not tell that the team has something newer', () => {
  const question = 'How much may a hotel cost?';
  const shown = { ...older, tier: 'external' } as const;
  const seen = (notes: readonly Note[]) => indexOf(notes).view('external').search(question, 10).passages;
  expect(seen([shown, newer])).toEqual(seen([shown]));
  expect(found([shown, newer], question)).toEqual(['newer', 'older']);
});

test('words that ask for what no longer holds need not stand in what was replaced', () => {
  const view = indexOf([{ ...older, isOutdated: true }, newer]).view('team');
  const left = (question: string) => view.search(question, 10, { today: '2026-11-20' });
  const asked = left('What was the previous limit for a hotel?');
  expect(wordsOf(asked)).not.toContain('previous');
  expect(asked.wanted.telling.map(({ text }) => text)).not.toContain('previou');
  expect(asked.wanted.telling.map(({ text }) => text)).toContain('hotel');
  const none = indexOf([newer]).view('team').search('What was the previous limit for a hotel?', 10);
  expect(wordsOf(none)).toContain('previous');
});
