import { processorMilliseconds } from '@teammemory/testkit/processor-time.ts';
import { liveMarkup } from '@teammemory/testkit/rendered-markup.ts';
import { expect, test } from 'vitest';
import type { Answer } from '../citations/answer.ts';
import { readQuestion } from '../ranking/question.ts';
import type { Row, RowKind } from './row.ts';
import { companyRows, otherQuestions, rowQuestions, today } from './row-questions.fixture.ts';
import { rowsAnswer } from './rows-answer.ts';

function answering(question: string, rows: Iterable<Row> = companyRows): { answer: Answer | undefined } {
  const rowsOf = (kind: RowKind) => [...rows].filter((row) => row.kind === kind);
  return { answer: rowsAnswer(readQuestion(question, today), rowsOf, 'inert') };
}

const textOf = (question: string, rows?: Iterable<Row>) => answering(question, rows).answer?.parts.join('');

/** The rows that a text lists, in order. */
function listed(text = ''): (string | undefined)[] {
  const titles = [...text.matchAll(/^- (.*?) (?:—|\(|\[)/gm)].map(([, title]) => title);
  return titles.map((title) => companyRows.find((row) => row.title === title)?.id);
}

function task(values: Partial<Row>): Row {
  const [first] = companyRows;
  if (first === undefined) throw new Error('There are rows.');
  return { ...first, ...values };
}

test.for([...rowQuestions.seen, ...rowQuestions.kept])('rows answer %j', ([question, ids]) => {
  expect(listed(textOf(question))).toEqual(ids);
});

test.for([...otherQuestions.seen, ...otherQuestions.kept].map((question) => [question]))(
  'rows leave %j to the texts',
  ([question = '']) => expect(textOf(question)).toBeUndefined(),
);

test('a list begins with what it has and how many, and gives each row on a line with its citation', () => {
  expect(answering('open tasks of mara due in November').answer).toEqual({
    parts: [
      '1 open task of mara due in November 2026:',
      '\n\n- Renew the TLS certificate — mara, due 2026-11-25, project ops [1]',
    ],
    sources: [
      {
        rowKey: 'projects/ops/tasks.md',
        title: 'Operations tasks',
        tier: 'team',
        kind: 'task',
        date: '2026-11-01',
        status: 'open',
      },
    ],
  });
});

test('rows of one source share its number, and the source has no status of one of them', () => {
  const { parts = [], sources = [] } = answering('tasks in the ops project').answer ?? {};
  expect(parts.slice(1).map((part) => part.slice(-3))).toEqual(['[1]', '[1]', '[1]']);
  expect(sources).toEqual([
    { rowKey: 'projects/ops/tasks.md', title: 'Operations tasks', tier: 'team', kind: 'task' },
  ]);
});

test.for([
  ['What has Mara still to do?', '2 open tasks of mara:'],
  ['What is Mara working on?', '2 open tasks of mara (1 more is done or cancelled):'],
  ['rejected decisions', '1 rejected decision:'],
  ['Which tasks are overdue?', '2 overdue tasks:'],
  ['Which tasks have no owner?', '1 open task without an owner:'],
  ['tasks of the pricing project', '2 open tasks in project pricing (1 more is done or cancelled):'],
  ['Which decisions did we make since May 2026?', '4 decisions since 2026-05-01:'],
  ['latest decision', 'The latest decision:'],
  ['Show overdue items', '2 overdue tasks:'],
  ['Does Lea have anything open?', '2 open tasks of lea:'],
  ['What was decided in March?', '1 decision in March 2026:'],
  ['tasks without a due date', '1 open task without a due date (1 more is done or cancelled):'],
  ['Was muss Lea noch erledigen?', '2 offene Aufgaben von lea:'],
  ['Wer ist für die TLS-Aufgabe zuständig?', '1 Aufgabe zu „tls“:'],
  ['Welche Entscheidungen wurden vorgeschlagen?', '2 vorgeschlagene Entscheidungen:'],
  [
    'Welche Aufgaben von Mara sind im November fällig?',
    '1 offene Aufgabe von mara fällig im November 2026 (1 weitere erledigt oder abgebrochen):',
  ],
])('the list for %j is announced as %j', ([question = '', lead]) => {
  expect(answering(question).answer?.parts[0]).toBe(lead);
});

test.for([
  ["What are Zoe's open tasks?", 'No open task of zoe is known.'],
  ['tasks of @zoe', 'No open task of zoe is known.'],
  ['cancelled tasks of mara', 'No cancelled task of mara is known.'],
  ['Which tasks in the atlas project are open?', 'No open task in project atlas is known.'],
  ['Is anything due today?', 'No open task due on 2026-11-22 is known.'],
])('that there are none is said where all of %j was understood', ([question = '', text]) => {
  expect(answering(question).answer).toEqual({ parts: [text], sources: [] });
});

test.for([
  ['open tasks about the frobnicator'],
  ['open tasks of mara and lea'],
  ['What are my tasks?'],
  ['When are invoices due?'],
  ['When is the pricing project due?'],
  ['Do tasks have owners?'],
  ['Was the task cancelled?'],
  ['Is the decision accepted?'],
  ['Which invoices are overdue?'],
  ['Is the office open on Sunday?'],
  ['What is open on Sundays?'],
  ['What did we decide about releases in October?'],
  ['What is the kernel working on?'],
])('of %j, which is not understood whole, nothing is denied', ([question = '']) => {
  expect(textOf(question)).toBeUndefined();
});

test('a team without rows of a kind is not told that there are none', () => {
  const tasksOnly = companyRows.filter(({ kind }) => kind === 'task');
  expect(textOf('rejected decisions', tasksOnly)).toBeUndefined();
});

test('twenty rows are shown and all are counted', () => {
  const rows = Array.from({ length: 32 }, (_, at) =>
    task({ id: `${at}`, due: `2026-12-${String(31 - (at % 31))}` }),
  );
  const { parts = [] } = answering('open tasks of mara', rows).answer ?? {};
  expect(parts[0]).toBe('32 open tasks of mara:');
  expect(parts.at(-1)).toBe('\n\n… and 12 more.');
  const days = parts.slice(1, -1).map((part) => /due (\S+?),/.exec(part)?.[1]);
  expect(days).toHaveLength(20);
  expect(days).toEqual([...days].sort());
});

test('an owner is one, even where titles have the same word', () => {
  const rows = [task({ id: 'a', owner: 'mara' }), task({ id: 'b', owner: 'jonas', title: 'Ask mara' })];
  for (const each of [rows, rows.toReversed()])
    expect(answering('open tasks of mara', each).answer?.parts).toHaveLength(2);
});

test.for([
  ['```\ncode'],
  ['~~~ js'],
  ['# heading'],
  ['> quote'],
  ['- - nested'],
  ['1. numbered'],
  ['two\n\n- lines'],
  ['two\u2028- lines'],
  ['<img src=x onerror=alert(1)> a'],
  ['[link](https://evil.example)'],
  ['![image](https://evil.example/x.png)'],
  ['[1]: https://evil.example'],
  ['a `b'],
  ['a <!-- b'],
  ['***'],
  ['see [7], [1, 2] and &#91;2&#93;'],
  ['x'.repeat(100_000)],
  ['\u202eevil'],
  [''],
])('the title %j breaks neither its list nor fakes a citation', ([title = '']) => {
  const rows = [
    task({ id: 'a', title, due: '2026-11-01' }),
    task({ id: 'b', title: 'Plain', due: '2026-11-02' }),
  ];
  const text = textOf('open tasks', rows) ?? '';
  expect(text.split('\n').filter((line) => line !== '')).toEqual([
    '2 open tasks:',
    expect.stringMatching(/^- .+ — mara, due 2026-11-01, overdue, project ops \[1\]$/),
    '- Plain — mara, due 2026-11-02, overdue, project ops [1]',
  ]);
  expect(text.match(/\[[^\]]*\]/g)).toEqual(['[1]', '[1]']);
  expect(liveMarkup(text)).toEqual([]);
  expect(text.length).toBeLessThan(500);
});

test('words of the question make no link of their own', () => {
  const text = textOf('tasks of @www.evil.example') ?? '';
  expect(text).toMatch(/^No open task of /);
  expect(liveMarkup(text)).toEqual([]);
});

test.for([['open '], ['tasks of '], ['@a '], ["l'"], ["x's "], ['not '], ['. '], ['due in May ']])(
  'a question of many times %j takes no long time',
  ([part = '']) => {
    const question = `open tasks ${part.repeat(4_000 / part.length)}`.slice(0, 300);
    expect(processorMilliseconds(() => textOf(question))).toBeLessThan(300);
  },
);
