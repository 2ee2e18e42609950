import { expect, test } from 'vitest';
import { logHome } from '../logs.fixture.ts';

const line = (type: string, payload: object, timestamp = '2026-11-19T10:00:05.000Z') => {
  return { timestamp, type, payload };
};
const meta = (id: string, more: object = {}, timestamp = '2026-11-19T10:00:00.000Z') =>
  line('session_meta', { id, cwd: '/home/ada', source: 'cli', ...more }, timestamp);
const turn = (model = 'gpt-5-codex') => line('turn_context', { model });
const user = (message: string) => line('event_msg', { type: 'user_message', message });
const figures = (input: number, cached: number, output: number) => ({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: output,
});
const count = (total: object, last?: object) =>
  line('event_msg', {
    type: 'token_count',
    info: { total_token_usage: total, ...(last && { last_token_usage: last }) },
  });
const call = (id: string, name: string, given: object) =>
  line('response_item', { type: 'function_call', name, arguments: JSON.stringify(given), call_id: id });
const output = (id: string, text: unknown) =>
  line('response_item', { type: 'function_call_output', call_id: id, output: text });
const path = (id: string) => `.codex/sessions/2026/11/19/rollout-2026-11-19T10-00-00-${id}.jsonl`;

test('token counts are sums so far: each counts by what it adds, and the same sum again not at all', async () => {
  const home = logHome();
  home.lines(
    path('a'),
    ...[meta('a'), turn(), user('Mend it')],
    line('event_msg', { type: 'token_count', info: null }),
    count(figures(1000, 400, 100)),
    count(figures(1000, 400, 100)),
    count(figures(3000, 2000, 150), figures(2000, 1600, 50)),
  );
  const { body } = await home.report();
  expect(body).toMatchObject({ sessions: 1, tasks: 1 });
  // Input 3,000, of which 2,000 cached; fresh are 1,000 and 150 of output.
  expect(body.signals).toMatchObject({ tokens_per_task: 1150, cache_hit_rate: 0.6667 });
  // (1,000 × 1.25 + 2,000 × 0.125 + 150 × 10) / 1,000,000
  expect(body.signals.cost_per_task).toBe(0.003);
});

test('a fork does not count what it repeats of its parent, whether it goes on or begins at zero', async () => {
  const home = logHome();
  const parent = [turn(), user('Mend it'), count(figures(1000, 0, 100), figures(1000, 0, 100))];
  home.lines(path('a'), meta('a'), ...parent);
  const forked = '2026-11-19T12:00:00.000Z';
  const own = (each: object) => ({ ...each, timestamp: '2026-11-19T12:01:00.000Z' });
  const replayed = parent.map((each) => ({ ...each, timestamp: forked }));
  const fork = (id: string) => [
    meta(id, { forked_from_id: 'a' }, forked),
    ...replayed,
    own(user(`In ${id}`)),
  ];
  // Goes on at 1,000: its own answer adds 500 and 10.
  home.lines(path('b'), ...fork('b'), own(count(figures(1500, 0, 110))));
  // Begins at zero.
  home.lines(path('c'), ...fork('c'), own(count(figures(700, 0, 30), figures(700, 0, 30))));
  const { body } = await home.report();
  expect(body).toMatchObject({ sessions: 3, tasks: 3 });
  expect(body.signals.tokens_per_task).toBe((1100 + 510 + 730) / 3);
});

test('the prompts of a subagent are no tasks, and how a command ended is in its output', async () => {
  const home = logHome();
  home.lines(
    path('a'),
    ...[meta('a'), turn(), user('Mend it')],
    ...[
      call('c1', 'shell', { command: ['bash', '-lc', 'cargo test'] }),
      output('c1', '{"metadata":{"exit_code":1}}'),
    ],
    ...[
      call('c2', 'exec_command', { cmd: 'pytest -q' }),
      output('c2', 'Process exited with code 0\nOutput:'),
    ],
    ...[call('c3', 'spawn_agent', {}), output('c3', { success: true, content: 'x' })],
    line('response_item', {
      type: 'custom_tool_call',
      name: 'apply_patch',
      call_id: 'c4',
      input: '*** Begin',
    }),
    output('c4', 'Done'),
  );
  const source = { subagent: { thread_spawn: { parent_thread_id: 'a', depth: 1 } } };
  home.lines(
    path('d'),
    meta('d', { source }),
    turn(),
    user('A part'),
    call('c5', 'shell', { command: 'ls' }),
  );
  const { body } = await home.report();
  expect(body).toMatchObject({ sessions: 1, tasks: 1 });
  expect(body.signals).toMatchObject({ verify_tool_rate: 0.4, subagent_usage: 1, tool_diversity: 4 });
  expect(body.signals).not.toHaveProperty('error_rate');
});
