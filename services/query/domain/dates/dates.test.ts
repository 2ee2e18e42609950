import { processorMilliseconds } from '@teammemory/testkit/processor-time.ts';
import { expect, test } from 'vitest';
import { datesIn } from './dates-in.ts';
import { datesWanted } from './dates-wanted.ts';

const day = (date: string) => [date, date];
const november = ['2026-11-01', '2026-11-30'];

test.for<[text: string, ...days: string[][]]>([
  ['2026-11-03', day('2026-11-03')],
  ['2026-11-03-standup.md', day('2026-11-03')],
  ['notes/standup_2026-11-03.md', day('2026-11-03')],
  ['20261103 notes', day('2026-11-03')],
  ['2026-11-03T10:00:00Z', day('2026-11-03')],
  ['2026/11/03/notes.md', day('2026-11-03')],
  ['2026-W45.md', ['2026-11-02', '2026-11-08']],
  ['KW 1 2026', ['2025-12-29', '2026-01-04']],
  ['notes/2026-11.md', november],
  ['on 3 Nov 2026.', day('2026-11-03')],
  ['the 3rd of November, 2026', day('2026-11-03')],
  ['November 3, 2026', day('2026-11-03')],
  ['Nov. 3rd 2026', day('2026-11-03')],
  ['03.11.2026', day('2026-11-03')],
  ['am 3. November 2026', day('2026-11-03')],
  ['3. März 2026', day('2026-03-03')],
  ['le 3 novembre 2026', day('2026-11-03')],
  ['1er août 2026', day('2026-08-01')],
  ['3 de noviembre de 2026', day('2026-11-03')],
  ['3 gennaio 2026', day('2026-01-03')],
  ['3 maart 2026', day('2026-03-03')],
  ['3 de março de 2026', day('2026-03-03')],
  ['November 2026', november],
  ['Q3 2026', ['2026-07-01', '2026-09-30']],
  ['2026-Q3', ['2026-07-01', '2026-09-30']],
  ['the third quarter of 2026', ['2026-07-01', '2026-09-30']],
  ['H2 2026', ['2026-07-01', '2026-12-31']],
  ['25/12/2026', day('2026-12-25')],
  ['from 2026-11-03 to 4 May 2027', day('2026-11-03'), day('2027-05-04')],
  ['29.02.2028', day('2028-02-29')],
])('datesIn finds the days of %j', ([text, ...days]) => {
  expect(datesIn(text).map(({ from, to }) => [from, to])).toEqual(days);
});

test.for([
  ['31 February 2026'],
  ['31.02.2026'],
  ['29.02.2026'],
  ['2026-13-01'],
  ['2026-11-031'],
  ['12026-11-03'],
  ['2025-W53'],
  ['03/11/2026'],
  ['set 2026'],
  ['version 1.2026'],
  ['november'],
])('datesIn finds no day in %j', ([text = '']) => expect(datesIn(text)).toEqual([]));

test('datesIn says where the days stand', () => {
  const text = 'Decided on 3 Nov 2026, at noon';
  expect(datesIn(text).map(({ start, end }) => text.slice(start, end))).toEqual(['3 Nov 2026']);
});

test.for([['2026-'], ['1. '], ['november '], ['november 1 '], ['2026/11/'], ['Q1 '], ['3 de '], ['20261']])(
  'twice as many repetitions of %j take no more than some times as long to read',
  ([part = '']) => {
    const text = part.repeat(2 ** 20 / part.length);
    // The best of some: what else the machine does to the caches only adds to it.
    const durationOf = (read: string) => processorMilliseconds(() => datesIn(read));
    const msOf = (read: string) => Math.min(...Array.from({ length: 5 }, () => durationOf(read)));
    expect(msOf(text)).toBeLessThan(8 * msOf(text.slice(0, text.length / 2)) + 20);
  },
);

/** A Sunday. */
const today = '2026-11-22';
const present = { latest: true };

test.for<[question: string, wanted: object]>([
  ['What happened on 2026-11-03?', { from: '2026-11-03', to: '2026-11-03' }],
  ['What did we decide in November?', { from: '2026-11-01', to: '2026-11-30' }],
  [
    'What is due in May?',
    { from: '2026-05-01', to: '2026-05-31', coming: { from: '2027-05-01', to: '2027-05-31' } },
  ],
  ['decisions before May', { to: '2026-04-30', coming: { to: '2027-04-30' } }],
  ['decisions since March', { from: '2026-03-01', coming: { from: '2027-03-01' } }],
  ['after November 2025', { from: '2025-12-01' }],
  ['tasks until Friday', { to: '2026-11-20', coming: { to: '2026-11-27' } }],
  ['tasks due by the end of the month', { to: '2026-11-30' }],
  ['by end of next week', { to: '2026-11-29' }],
  ['by EOY', { to: '2026-12-31' }],
  ['what changed this week', { from: '2026-11-16', to: '2026-11-22' }],
  ['what changed last week?', { from: '2026-11-09', to: '2026-11-15' }],
  ['due next month', { from: '2026-12-01', to: '2026-12-31' }],
  ['last quarter', { from: '2026-07-01', to: '2026-09-30' }],
  ['in the last two weeks', { from: '2026-11-08', to: '2026-11-22' }],
  ['over the past 3 months', { from: '2026-08-22', to: '2026-11-22' }],
  ['in den nächsten drei Wochen', { from: '2026-11-22', to: '2026-12-13' }],
  ['3 days ago', { from: '2026-11-19', to: '2026-11-19' }],
  ['decisions from last week', { from: '2026-11-09', to: '2026-11-15' }],
  ['from 3 May 2026', { from: '2026-05-03' }],
  ['yesterday', { from: '2026-11-21', to: '2026-11-21' }],
  [
    'revenue in Q3',
    { from: '2026-07-01', to: '2026-09-30', coming: { from: '2027-07-01', to: '2027-09-30' } },
  ],
  ['revenue in Q4', { from: '2026-10-01', to: '2026-12-31' }],
  ['Q3 2025', { from: '2025-07-01', to: '2025-09-30' }],
  [
    'between March and May',
    { from: '2026-03-01', to: '2026-05-31', coming: { from: '2027-03-01', to: '2027-05-31' } },
  ],
  [
    'between November and February',
    { from: '2025-11-01', to: '2026-02-28', coming: { from: '2026-11-01', to: '2027-02-28' } },
  ],
  ['from 1 May 2026 to 3 June 2026', { from: '2026-05-01', to: '2026-06-03' }],
  ['between 3 June 2026 and 2026-05-01', { from: '2026-05-01', to: '2026-06-03' }],
  ['since 3 May 2026 and before 1 June 2026', { from: '2026-05-03', to: '2026-05-31' }],
  ['the budget of 2025', { from: '2025-01-01', to: '2025-12-31' }],
  ['next Monday', { from: '2026-11-23', to: '2026-11-23' }],
  ['last November', { from: '2025-11-01', to: '2025-11-30' }],
  ['3 May', { from: '2026-05-03', to: '2026-05-03', coming: { from: '2027-05-03', to: '2027-05-03' } }],
  ['What is due today?', { from: today, to: today, ...present }],
  ['the latest retro', present],
  ['Who currently owns billing?', present],
  ['What did the last retro say?', present],
  ['the state as of 3 May 2026', { to: '2026-05-03', latest: true }],
  ['Which tasks are overdue?', { overdue: true }],
  ['Was haben wir letzte Woche entschieden?', { from: '2026-11-09', to: '2026-11-15' }],
  ['im November', { from: '2026-11-01', to: '2026-11-30' }],
  ['Anfang November 2026', { from: '2026-11-01', to: '2026-11-10' }],
  ['by the beginning of November 2026', { to: '2026-11-01' }],
  [
    'tickets in week 46',
    { from: '2026-11-09', to: '2026-11-15', coming: { from: '2027-11-15', to: '2027-11-21' } },
  ],
  ['in KW 47', { from: '2026-11-16', to: '2026-11-22' }],
  ['vor Mai', { to: '2026-04-30', coming: { to: '2027-04-30' } }],
  ['bis Ende des Monats', { to: '2026-11-30' }],
  ['im letzten Quartal', { from: '2026-07-01', to: '2026-09-30' }],
  ['seit gestern', { from: '2026-11-21' }],
  ['Was ist hier der aktuelle Stand?', present],
  ['Wer ist derzeit zuständig?', present],
  ['überfällige Aufgaben', { overdue: true }],
  ['la semaine dernière', { from: '2026-11-09', to: '2026-11-15' }],
  ["qu'est-ce que nous avons décidé hier", { from: '2026-11-21', to: '2026-11-21' }],
  ['le prix actuel', present],
  ['la semana pasada', { from: '2026-11-09', to: '2026-11-15' }],
  ['la última decisión', present],
  ['la settimana prossima', { from: '2026-11-23', to: '2026-11-29' }],
  ['vorige week', { from: '2026-11-09', to: '2026-11-15' }],
  ['no próximo mês', { from: '2026-12-01', to: '2026-12-31' }],
])('datesWanted understands %j', ([question, wanted]) => {
  const { words, ...rest } = datesWanted(question, today);
  expect(rest).toEqual({ latest: false, overdue: false, ...wanted });
  expect(words.length).toBeGreaterThan(0);
});

test.for([
  ['When may I restart the service?'],
  ['Who will march with us?'],
  ['What is the actual limit?'],
  ['Which port is 2049, or #2026?'],
  ['How is version 1.2026 installed?'],
  ['Was gilt hier?'],
  ['What is the second quarterdeck?'],
])('datesWanted finds no time in %j', ([question = '']) =>
  expect(datesWanted(question, today)).toEqual({ latest: false, overdue: false, words: [] }),
);

test('datesWanted says which words named times, with what stands before them', () => {
  const question = 'Which decisions were proposed since 3 May 2026 and are now overdue?';
  expect(datesWanted(question, today).words.map(({ start, end }) => question.slice(start, end))).toEqual([
    'since 3 May 2026',
    'now',
    'overdue',
  ]);
});
