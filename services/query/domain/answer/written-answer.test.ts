import { AppError } from '@teammemory/errors/app-error.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { feedItem } from '../passages/passages.fixture.ts';
import { feedsInMemory } from '../rows/row.fixture.ts';
import { searchOver } from '../search/passage-search.fixture.ts';
import type { Spending } from '../spending/spending.ts';
import type { TokenUsage } from '../spending/usage-store.ts';
import { answer } from './answer.fixture.ts';
import { type ModelTurn, scriptedModel, silence } from './answer-model.fixture.ts';
import { AnswerModelFailure } from './answer-model.ts';

const viewer = { teamId: 'team', memberId: 'ada', tier: 'team' } as const;
const question = 'When do the ferry and the train leave?';
const apology =
  'The model that writes answers is not available, so this one is made of passages as they were written.\n\n';
const quotes = '**Train**\n\nThe train leaves at ten. [1]\n\n**Ferry**\n\nThe ferry leaves at nine. [2]';

/** Spending that notes what it was asked. */
function notedSpending() {
  const notes: [string, TokenUsage?][] = [];
  const spending: Spending = {
    async reserve(_payer, _model, worstCase) {
      notes.push(['reserve', worstCase]);
      return {
        settle: async (usage) => void notes.push(['settle', usage]),
        release: async () => void notes.push(['release']),
      };
    },
  };
  return { spending, notes };
}

/** Asks a team that knows of a ferry and a train; the model takes these turns. */
function asking(
  turns: ModelTurn[],
  changed: { question?: string; signal?: AbortSignal; spending?: Spending } = {},
) {
  const feed = feedsInMemory();
  feed.push('team', feedItem(0, 'The ferry leaves at nine.', { rowKey: 'ferry.md', title: 'Ferry' }));
  feed.push('team', feedItem(0, 'The train leaves at ten.', { rowKey: 'train.md', title: 'Train' }));
  const { findPassages } = searchOver({ feed });
  const model = scriptedModel(...turns);
  const { spending, notes } = notedSpending();
  const failures: unknown[] = [];
  const timeLimits = { firstTokenMs: 40, idleMs: 40, totalMs: 200 };
  const report = (failure: unknown) => void failures.push(failure);
  const fallbacks: string[] = [];
  const fellBack = (reason: string) => void fallbacks.push(reason);
  const writer = { model, spending: changed.spending ?? spending, timeLimits, report, fellBack };
  const signal = changed.signal ?? new AbortController().signal;
  const stream = answer(changed.question ?? question, { viewer, findPassages, writer, signal });
  return { stream, model, notes, failures, fallbacks };
}

/** The whole answer to the question, and the error that it ended with. */
async function ask(turns: ModelTurn[], changed: Parameters<typeof asking>[1] = {}) {
  const { stream, ...rest } = asking(turns, changed);
  const deltas: string[] = [];
  let sources: string[] | undefined;
  let error: unknown;
  try {
    for await (const part of stream) {
      if (part.kind === 'delta') deltas.push(part.text);
      else sources = part.sources.map(({ rowKey }) => rowKey);
    }
  } catch (thrown) {
    error = thrown;
  }
  return { text: deltas.join(''), deltas, sources, error, ...rest };
}

const numbers = /\[\d\]/g;
const usage = (inputTokens: number, outputTokens: number) => ({
  text: '',
  writtenBytes: 0,
  usage: { inputTokens, outputTokens },
});
const passing = (begun: boolean) => new AnswerModelFailure('no', { begun, retryAfterMs: 1 });
const lasting = new AnswerModelFailure('never', { begun: false });

test('text is shown as it is written; sources are what was cited, in that order', async () => {
  const { model, ...written } = await ask([
    ['The train', ' leaves at ten [2]', ', the ferry at nine [1][7].'],
  ]);
  expect(written).toMatchObject({
    deltas: ['The train', ' leaves at ten [1]', ', the ferry at nine [2].'],
    error: undefined,
    failures: [],
    fallbacks: [],
  });
  const order = [...(model.prompts[0]?.user ?? '').matchAll(/title: (\w+)/g)].map(([, title]) => title);
  expect(written.sources).toEqual([order[1], order[0]].map((title) => `${title?.toLowerCase()}.md`));
});

test('an answer that cites nothing has no sources', async () => {
  expect(await ask([['The sources do not say [3].']])).toMatchObject({
    text: 'The sources do not say.',
    sources: [],
  });
});

test('where nothing is found the model is not asked, nothing is reserved, and the text is the usual one', async () => {
  const { model, notes, text, sources } = await ask([], { question: 'Tungsten?' });
  expect({ prompts: model.prompts, notes, sources }).toEqual({ prompts: [], notes: [], sources: [] });
  expect(text).toMatch(/^No note answers this\./);
});

test.for<[string, ModelTurn[], reason: string]>([
  ['fails twice', [[passing(false)], [passing(false)]], 'failed'],
  ['fails for good', [[lasting]], 'failed'],
  ['breaks off before its first word', [[new AppError('unavailable', 'broken')]], 'silent'],
  ['says nothing', [[]], 'silent'],
  ['says only blanks', [[' \n', ' ']], 'silent'],
  ['says only what is not shown', [['[99', ']']], 'silent'],
  ['does not begin in time', [[silence]], 'silent'],
  ['does not begin in time at its second try', [[passing(true)], [silence]], 'silent'],
])(
  'a model that %s is replaced by quotes, which say so; the operator is told why',
  async ([, turns, reason]) => {
    const { text, sources, error, failures, fallbacks } = await ask(turns);
    expect({ text, error }).toEqual({ text: apology + quotes, error: undefined });
    expect(sources).toEqual(['train.md', 'ferry.md']);
    expect(failures).toHaveLength(1);
    expect(fallbacks).toEqual([reason]);
  },
);

test('a second try that succeeds is all that is seen', async () => {
  const { text, failures, model } = await ask([[passing(false)], ['At nine [1].']]);
  expect({ text, failures, tries: model.prompts.length }).toEqual({
    text: 'At nine [1].',
    failures: [],
    tries: 2,
  });
});

test.for<[string, ModelTurn]>([
  ['breaks off', ['At nine [1], and', new AppError('unavailable', 'broken')]],
  ['falls silent', ['At nine [1], and', silence]],
  ['does not stop', Array.from({ length: 100 }, () => 'At nine [1], and'.padEnd(1_000))],
])('a model that %s amid its answer is an error, never tried again and never completed', async ([, turn]) => {
  const { text, sources, error, model } = await ask([turn, ['Never.']]);
  expect(text.startsWith('At nine [1], and')).toBe(true);
  expect(text.length).toBeLessThan(70_000);
  expect({ sources, tries: model.prompts.length }).toEqual({ sources: undefined, tries: 1 });
  expect(error).toMatchObject({ code: 'unavailable' });
});

describe('with a clock that the test moves', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('an answer that drips is cut when its whole time is over', async () => {
    const { stream, notes } = asking([Array.from({ length: 1_000 }, () => 'x')]);
    const read = async () => {
      for await (const { kind } of stream) {
        expect(kind).toBe('delta');
        await vi.advanceTimersByTimeAsync(10);
      }
    };
    await expect(read()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching('too long'),
    });
    // Twenty that were read, and the one that the model wrote meanwhile.
    expect(notes.at(-1)).toEqual(['settle', expect.objectContaining({ outputTokens: 21 })]);
  });

  test('a reader who takes their time is not taken for a silent model', async () => {
    const { stream } = asking([['At nine', ' or so [1].']]);
    await stream.next();
    await vi.advanceTimersByTimeAsync(150);
    expect((await stream.next()).value).toEqual({ kind: 'delta', text: ' or so [1].' });
  });

  test('a model that falls silent when its reader has caught up is cut off', async () => {
    const { stream } = asking([['At', ' nine', silence]]);
    await stream.next();
    await vi.advanceTimersByTimeAsync(100);
    expect((await stream.next()).value).toEqual({ kind: 'delta', text: ' nine' });
    const cut = expect(stream.next()).rejects.toMatchObject({
      message: expect.stringMatching('fell silent'),
    });
    await vi.advanceTimersByTimeAsync(41);
    await cut;
  });
});

test('the reader going away ends the call and what was used is settled', async () => {
  const leaving = new AbortController();
  const { stream, notes, failures } = asking([['At', silence]], { signal: leaving.signal });
  await stream.next();
  const next = stream.next();
  leaving.abort(new Error('gone'));
  await expect(next).rejects.toThrow('gone');
  expect(notes.map(([what]) => what)).toEqual(['reserve', 'settle']);
  expect(notes[1]?.[1]?.outputTokens).toBe(2);
  expect(failures).toEqual([]);
});

test('a reader who goes away while the money is reserved gets it back, and no model is asked', async () => {
  const leaving = new AbortController();
  const { spending, notes } = notedSpending();
  const reserve: Spending['reserve'] = (...call) => {
    leaving.abort(new Error('gone'));
    return spending.reserve(...call);
  };
  const { stream, model } = asking([['At nine.']], { signal: leaving.signal, spending: { reserve } });
  await expect(stream.next()).rejects.toThrow('gone');
  expect(notes.map(([what]) => what)).toEqual(['reserve', 'release']);
  expect(model.prompts).toEqual([]);
});

test('a reader who leaves between two parts is charged all the same', async () => {
  const { stream, notes } = asking([['At', ' nine']]);
  await stream.next();
  await stream.return();
  expect(notes.map(([what]) => what)).toEqual(['reserve', 'settle']);
});

test("the provider's count is what is settled, that of each try", async () => {
  expect((await ask([['At nine.', usage(12, 3)]])).notes[1]).toEqual([
    'settle',
    { inputTokens: 12, outputTokens: 3 },
  ]);
});

test('a count that comes ahead of the text is not what is settled', async () => {
  const { notes } = await ask([[usage(12, 0), 'At nine.', ' At ten.']]);
  expect(notes[1]?.[1]?.outputTokens).toBe('At nine. At ten.'.length);
});

test('without a count of the provider bytes are counted: input whole, output as far as it came', async () => {
  const { notes, model } = await ask([[passing(true)], ['Über [1].']]);
  const { system, user } = model.prompts[0] ?? { system: '', user: '' };
  const inputTokens = Buffer.byteLength(system + user) + 64;
  expect(notes).toEqual([
    ['reserve', { inputTokens: 2 * inputTokens, outputTokens: 8_000 }],
    ['settle', { inputTokens: 2 * inputTokens, outputTokens: 10 }],
  ]);
});

test('a call that never began is released', async () => {
  expect((await ask([[passing(false)], [lasting]])).notes.map(([what]) => what)).toEqual([
    'reserve',
    'release',
  ]);
});

test('without money nothing is asked and no quotes are given instead', async () => {
  const spending: Spending = {
    reserve: () => Promise.reject(new AppError('daily_cap_exceeded', 'Enough for today.')),
  };
  const { deltas, error, model } = await ask([['Never.']], { spending });
  expect({ deltas, prompts: model.prompts }).toEqual({ deltas: [], prompts: [] });
  expect(error).toMatchObject({ code: 'daily_cap_exceeded' });
});

test('a charge that cannot be settled does not spoil the answer, and the operator is told', async () => {
  const outage = new AppError('unavailable', 'The store is gone.');
  const spending: Spending = {
    reserve: async () => ({ settle: () => Promise.reject(outage), release: () => Promise.reject(outage) }),
  };
  const { text, sources, failures } = await ask([['At nine [1].']], { spending });
  expect(text.match(numbers)).toEqual(['[1]']);
  expect(sources).toHaveLength(1);
  expect(failures).toEqual([outage]);
});
