import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { logHome } from './logs.fixture.ts';
import { measure } from './signals.ts';
import { Tally } from './tally.ts';

const folder = '.claude/projects/p';
const prompt = (uuid: string) => ({
  sessionId: 's1',
  timestamp: '2026-11-19T10:00:00.000Z',
  type: 'user',
  uuid,
  message: { content: 'x' },
});

test('torn, deep and very long lines are skipped and counted, and the lines beside them count', async () => {
  const home = logHome();
  home.lines(
    `${folder}/s1.jsonl`,
    prompt('p1'),
    '{"type":"user","message":',
    `${'['.repeat(500_000)}${']'.repeat(500_000)}`,
    `"${'x'.repeat(5 * 1024 * 1024)}"`,
    '\u0000\u0000',
    'null',
    '[]',
    '"text"',
    { ...prompt('p2'), message: null },
    { ...prompt('p3'), sessionId: { $ne: 1 } },
    { ...prompt('p4'), timestamp: 1e300 },
    { ...prompt('__proto__') },
    '{"type":"user","sessionId":"s1"',
  );
  const { body, skipped } = await home.report();
  expect(body).toMatchObject({ sessions: 1, tasks: 2 });
  expect(skipped).toEqual({ torn: 3, large: 1, files: 0 });
});

test('figures that are no numbers of tokens count as none', async () => {
  const home = logHome();
  const usage = { cache_read_input_tokens: '9', cache_creation_input_tokens: -5, output_tokens: null };
  home.lines(`${folder}/s1.jsonl`, prompt('p1'), {
    ...prompt('a1'),
    type: 'assistant',
    message: {
      id: 'a1',
      model: '__proto__',
      usage,
      content: [{ type: 'tool_use', id: 'c', name: 'constructor' }],
    },
  });
  const { signals } = (await home.report()).body;
  expect(signals).toEqual({ delegation_ratio: 0, tool_diversity: 1, subagent_usage: 0 });
});

test.each([1e308, Number.MAX_SAFE_INTEGER, 1e13])(
  'tokens that no answer has (%d) count as none',
  async (tokens) => {
    const home = logHome();
    const usage = {
      input_tokens: tokens,
      cache_read_input_tokens: tokens,
      cache_creation_input_tokens: tokens,
      output_tokens: tokens,
    };
    const answer = (id: string, told: object) => ({
      ...prompt(id),
      type: 'assistant',
      message: { id, model: 'claude-sonnet-4-5', usage: told, stop_reason: 'end_turn' },
    });
    const real = { cache_read_input_tokens: 900, cache_creation_input_tokens: 100, output_tokens: 50 };
    home.lines(
      `${folder}/s1.jsonl`,
      prompt('p1'),
      answer('a1', usage),
      answer('a2', usage),
      answer('a3', real),
    );
    const { signals } = (await home.report()).body;
    expect(signals).toMatchObject({ tokens_per_task: 150, cache_hit_rate: 0.9 });
  },
);

test('a signal is a finite number or is left out', () => {
  const can = { tokens: true, cost: true, failures: true, subagents: true };
  const tally = new Tally(can, { from: 0, to: 1 });
  const place = { session: 's', at: 1, isSubagent: false } as const;
  tally.add({ ...place, kind: 'prompt', id: 'p' });
  const most = Number.MAX_VALUE;
  const tokens = { input: most, cacheRead: most, cacheWrite: most, output: most };
  tally.add({ ...place, kind: 'answer', id: 'a', model: 'claude-sonnet-4-5', tokens, isWhole: true });
  const measured = measure([tally]);
  for (const name of ['cost_per_task', 'tokens_per_task', 'cache_hit_rate'] as const)
    expect(measured[name].value).toBeUndefined();
  expect(measured.delegation_ratio.value).toBe(0);
});

test('links out of the folder are not followed, and what is no database is none', async () => {
  const home = logHome();
  const other = logHome();
  other.lines('logs/s9.jsonl', prompt('p9'));
  mkdirSync(join(home.home, folder), { recursive: true });
  symlinkSync(join(other.home, 'logs'), join(home.home, folder, 'linked'));
  symlinkSync(join(other.home, 'logs/s9.jsonl'), join(home.home, folder, 's9.jsonl'));
  symlinkSync(join(home.home, folder), join(home.home, folder, 'loop'));
  home.lines('.local/share/opencode/opencode.db', 'no database');
  const { body, skipped } = await home.report();
  expect(body).toMatchObject({ sessions: 0, tasks: 0, signals: {} });
  expect(skipped.torn).toBe(1);
});

test('many files and a long one are read to their ends', async () => {
  const home = logHome();
  mkdirSync(join(home.home, folder), { recursive: true });
  const line = `${JSON.stringify({ ...prompt('p'), message: { content: 'x'.repeat(2_000) } })}\n`;
  for (let n = 0; n < 500; n += 1) writeFileSync(join(home.home, folder, `${n}.jsonl`), line);
  writeFileSync(join(home.home, folder, 'long.jsonl'), line.repeat(5_000));
  const { body } = await home.report();
  expect(body).toMatchObject({ sessions: 1, tasks: 1 });
});

test('nothing of what people and agents wrote is in a report: only names of the contract and numbers', async () => {
  const home = logHome();
  home.lines(
    `${folder}/s1.jsonl`,
    { ...prompt('p1'), cwd: '/home/ada/secret', message: { content: 'secret' } },
    {
      ...prompt('a1'),
      type: 'assistant',
      message: {
        id: 'secret',
        model: 'claude-sonnet-4-5',
        content: [{ type: 'tool_use', id: 'c', name: 'secret' }],
      },
    },
  );
  const { body } = await home.report();
  expect(JSON.stringify(body)).not.toContain('secret');
  for (const value of Object.values(body.signals)) expect(typeof value).toBe('number');
});
