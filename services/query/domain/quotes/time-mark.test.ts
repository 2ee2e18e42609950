import { expect, test } from 'vitest';
import { indexInMemory } from '../../search-index/search-index.fixture.ts';
import { type Fields, noFields } from '../passages/passage.ts';
import { itemPassages } from '../passages/passages.fixture.ts';
import { extractiveAnswer } from './extractive-answer.ts';

interface Note extends Partial<Fields> {
  text: string;
  title?: string;
}

function answer(notes: readonly Note[], question: string): string {
  const index = indexInMemory();
  const filler = ['Lunch is at noon.', 'The printer jams.', 'Rooms are booked by mail.'];
  for (const [place, text] of filler.entries()) index.apply(itemPassages(place + 1, text));
  for (const [place, { text, title = 'Holidays', ...said }] of notes.entries())
    index.apply(itemPassages(place + 10, text, { title, fields: { ...noFields, ...said } }));
  return extractiveAnswer(index.view('team').search(question, 10, { today: '2026-11-20' })).parts.join('');
}

const days = (count: number) => `Everybody has ${count} days of holidays a year.`;
const superseded = { text: days(28), isOutdated: true, status: 'superseded', date: '2024-11-20' };
const question = 'How many days of holidays do we have?';

test('what is outdated is left out where something holds in its place', () => {
  expect(answer([superseded, { text: days(30), date: '2025-12-15' }], question)).toBe(
    `**Holidays**\n\n${days(30)} [1]`,
  );
});

test('what is outdated is named as such where it is all there is, or asked for', () => {
  const named = `**Holidays**\n\nNot current (superseded, 2024-11-20):\n\n${days(28)} [1]`;
  expect(answer([superseded], question)).toBe(named);
  const both = [
    superseded,
    { text: 'From 2026 on holidays are 30 days, says the old contract.', date: '2025-12-15' },
  ];
  expect(answer(both, 'What were the old days of holidays a year?')).toContain(
    `Not current (superseded, 2024-11-20):\n\n${days(28)}`,
  );
});

test('a status and day that nobody gave are not made up', () => {
  const { status: _, ...archived } = { ...superseded, date: '2026-11-20', isDatedByChange: true };
  expect(answer([archived], question)).toBe(`**Holidays**\n\nNot current (outdated):\n\n${days(28)} [1]`);
});

test('what an older note says beside a newer one is shown with its day', () => {
  const older = { text: 'Days of holidays that are left lapse in March.', date: '2024-11-20' };
  const text = answer(
    [older, { text: days(30), date: '2025-12-15' }],
    'days of holidays a year that are left',
  );
  expect(text).toContain(days(30));
  expect(text).toContain('As of 2024-11-20:\n\nDays of holidays that are left lapse in March.');
});

test('a mark stands on a line of its own before a list, which it must not change', () => {
  const list = { ...superseded, text: 'Holidays:\n\n- 28 days of holidays a year\n- two days off' };
  expect(answer([list], 'days of holidays a year')).toContain(
    'Not current (superseded, 2024-11-20):\n\nHolidays:\n\n- 28',
  );
});

test('a mark has no markup and no citation that a status may hold', () => {
  for (const status of ['superseded [9]', 'deprecated <b>', 'obsolete `', 'archived](javascript:x)'])
    expect(answer([{ ...superseded, status }], question)).toBe(
      `**Holidays**\n\nNot current (outdated, 2024-11-20):\n\n${days(28)} [1]`,
    );
});

test('a day is named only where it stands in full: a month in a heading or file name is none, and beats no front matter', () => {
  const monthly = { ...superseded, date: '2026-11-01', isDatedByPeriod: true };
  expect(answer([monthly], question)).toContain('Not current (superseded):');
  const inMonth = { ...superseded, text: `# November 2026\n\n${days(28)}`, date: '2026-11-10' };
  expect(answer([inMonth], question)).toContain('Not current (superseded, 2026-11-10):');
  const onDay = { ...superseded, text: `# 4 March 2025\n\n${days(28)}`, date: '2026-11-10' };
  expect(answer([onDay], question)).toContain('Not current (superseded, 2025-03-04):');
});
