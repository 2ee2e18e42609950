import { expect, test } from 'vitest';
import { attackedService, besideBystanders } from '../support/attacks/attacked-service.ts';
import { item } from '../support/http/api.ts';
import { newTeam } from '../support/http/key-holder.ts';
import { asKey, postMessage, toolCall } from '../support/mcp/raw-message.ts';
import { readMetric } from '../support/service/read-metric.ts';

const attacked = attackedService({});
const [senders, batches, batchSize] = [64, 400, 16];
/** Twice the default of SEARCHES_PER_MINUTE. */
const messagesPerMinute = 1_200;

test('a guest key that floods /mcp with batches gets its messages of a minute, takes little memory and pays for refused calls', {
  timeout: 180_000,
}, async () => {
  const { service } = attacked();
  const team = await newTeam(service);
  const text = `# Large\n\n${'A line of a large note, which is fetched again and again.\n'.repeat(17_000)}`;
  await team.team.push(item('large.md', text, { tier: 'external' }));
  const calls = [
    toolCall('fetch', { id: 'large.md' }),
    { jsonrpc: '2.0', method: 'tools/list' },
    toolCall('changes', { cursor: 'no cursor' }),
  ];
  const headers = asKey(team.externalKey, team.slug);
  const answers: { status: number; retryAfter: string | null }[] = [];
  await besideBystanders({ ...attacked(), name: 'batches to /mcp', boundMegabytes: 0 }, async () => {
    let next = 0;
    const send = async () => {
      while (next < batches) {
        const call = calls[next++ % calls.length];
        const batch = Array.from({ length: batchSize }, (_, id) => ({ ...call, id }));
        const { status, headers: answered } = await postMessage(service, batch, { headers });
        answers.push({ status, retryAfter: answered.get('retry-after') });
      }
    };
    await Promise.all(Array.from({ length: senders }, send));
  });
  const refused = answers.filter(({ status }) => status === 429);
  const taken = answers.length - refused.length;
  // Two windows may have passed on a slow machine.
  expect(taken).toBeLessThanOrEqual((2 * messagesPerMinute) / batchSize);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true);
  expect(await readMetric(service.metricsUrl, 'teammemory_http_refused_body_bytes_total')).toBeGreaterThan(0);
  const others = await postMessage(
    service,
    { ...calls[1], id: 1 },
    { headers: asKey(team.teamKey, team.slug) },
  );
  expect(others.status).toBe(200);
  const question = toolCall('ask', { question: 'x', more: 'y'.repeat(70_000) });
  expect((await postMessage(service, question, { headers: asKey(team.readKey, team.slug) })).status).toBe(
    413,
  );
});
