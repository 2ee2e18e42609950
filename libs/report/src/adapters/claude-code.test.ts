import { expect, test } from 'vitest';
import { logHome } from '../logs.fixture.ts';

const timestamp = '2026-11-19T10:00:00.000Z';
const common = { sessionId: 's1', timestamp, isSidechain: false };
const log = '.claude/projects/-home-ada-api/s1.jsonl';

const prompt = (uuid: string, content: unknown = 'Mend the test', more: object = {}) => ({
  ...common,
  type: 'user',
  uuid,
  message: { role: 'user', content },
  ...more,
});
const usage = (read: number, written: number, output: number) => ({
  input_tokens: 3,
  cache_read_input_tokens: read,
  cache_creation_input_tokens: written,
  output_tokens: output,
});
const answer = (id: string, tokens: object, message: object = {}, more: object = {}) => ({
  ...common,
  type: 'assistant',
  message: { id, model: 'claude-sonnet-4-5', role: 'assistant', content: [], usage: tokens, ...message },
  ...more,
});
const call = (id: string, name: string, input: object = {}) => ({ type: 'tool_use', id, name, input });
const result = (id: string, isError = false) =>
  prompt(`r-${id}`, [{ type: 'tool_result', tool_use_id: id, is_error: isError, content: 'x' }]);

test('one answer in several lines counts once, by the line that ends it', async () => {
  const home = logHome();
  // On paper: answer a1 is 900 read, 100 written, 50 out; a2 has no end, so its largest output counts: 20.
  home.lines(
    log,
    prompt('p1'),
    answer('a1', usage(900, 100, 400)),
    answer('a1', usage(900, 100, 50), { stop_reason: 'end_turn' }),
    answer('a1', usage(900, 100, 1)),
    answer('a2', usage(0, 0, 1)),
    answer('a2', usage(0, 0, 20)),
    answer('a2', usage(0, 0, 7)),
  );
  const { body } = await home.report();
  expect(body).toMatchObject({ date: '2026-11-20', window_days: 7, sessions: 1, tasks: 1 });
  // 100 written and 70 out are fresh; input placeholders are not counted.
  expect(body.signals).toMatchObject({ tokens_per_task: 170, cache_hit_rate: 0.9 });
  // (900 × 0.3 + 100 × 3.75 + 70 × 15) / 1,000,000
  expect(body.signals.cost_per_task).toBe(0.0017);
});

test('a resumed session that repeats the lines of another file counts nothing twice', async () => {
  const home = logHome();
  const lines = [prompt('p1'), answer('a1', usage(80, 20, 10), { content: [call('c1', 'Edit')] })];
  home.lines(log, ...lines);
  const again = lines.map((line) => ({ ...line, sessionId: 's2' }));
  home.lines('.claude/projects/-home-ada-api/s2.jsonl', ...again, { ...prompt('p2'), sessionId: 's2' });
  const { body } = await home.report();
  expect(body).toMatchObject({ sessions: 2, tasks: 2 });
  expect(body.signals).toMatchObject({ tokens_per_task: 15, delegation_ratio: 0.5, tool_diversity: 1 });
});

test('only what a person typed is a task', async () => {
  const home = logHome();
  home.lines(
    log,
    prompt('p1'),
    prompt('p2', 'Caveat: x', { isMeta: true }),
    prompt('p3', '<local-command-stdout>x</local-command-stdout>'),
    prompt('p4', 'Summary', { isCompactSummary: true }),
    prompt('p5', 'For the subagent', { isSidechain: true }),
    prompt('p6', [{ type: 'text', text: 'With an image' }, { type: 'image' }]),
    answer('x', usage(1, 1, 1), { model: '<synthetic>' }),
    result('c0'),
  );
  expect((await home.report()).body).toMatchObject({ sessions: 1, tasks: 2 });
});

test('checks, failures, loops and subagents are counted, and a loop ends with the check that passes', async () => {
  const home = logHome();
  const run = (id: string, command: string) =>
    answer(`a-${id}`, usage(1, 1, 1), { content: [call(id, 'Bash', { command })] });
  home.lines(
    log,
    prompt('p1'),
    ...[run('c1', 'npm test'), result('c1', true)],
    ...[answer('a2', usage(1, 1, 1), { content: [call('c2', 'Edit')] }), result('c2')],
    ...[run('c3', 'cd api && npx vitest run x'), result('c3')],
    ...[run('c4', 'ls'), result('c4')],
    prompt('p2', 'What is this?'),
    ...[answer('a5', usage(1, 1, 1), { content: [call('c5', 'Task')] }), result('c5')],
  );
  home.lines('.claude/projects/-home-ada-api/s1/subagents/agent-1.jsonl', {
    ...answer('b1', usage(1, 1, 1), { content: [call('d1', 'Grep')] }),
    isSidechain: true,
  });
  const { signals } = (await home.report()).body;
  // 6 calls of Bash, Edit, Task, Grep; 2 verify; 1 of 5 results failed. The loop: the answers a2 and that of c3.
  expect(signals).toMatchObject({
    tool_diversity: 4,
    verify_tool_rate: 0.3333,
    error_rate: 0.2,
    correction_loop_avg: 2,
    delegation_ratio: 1,
    subagent_usage: 0.5,
  });
});

test('what is older than the window, and a model without a known price, are left out with a reason', async () => {
  const home = logHome();
  const old = { timestamp: '2026-11-13T23:59:59.999Z' };
  home.lines(
    log,
    { ...prompt('p0'), ...old },
    prompt('p1'),
    answer('a1', usage(1, 1, 1), { model: 'claude-unheard-of' }),
  );
  const { body, measured } = await home.report();
  expect(body.tasks).toBe(1);
  expect(body.signals).not.toHaveProperty('cost_per_task');
  expect(measured.cost_per_task.reason).toMatch(/price/);
});
