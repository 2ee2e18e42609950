import { eventually } from '@teammemory/testkit/eventually.ts';
import { describeWithPromtool, promtool } from '@teammemory/testkit/promtool.ts';
import { expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { newTeam } from './support/http/key-holder.ts';
import { sharedService } from './support/service/shared-service.ts';

const service = sharedService();
/** A line of Prometheus' text format: a comment, or a sample with its labels and value; NaN is written in any case. */
const line =
  /^(# (HELP|TYPE) \S+ .+|[a-zA-Z_:][\w:]*(\{([a-zA-Z_]\w*="([^"\\\n]|\\.)*",?)*\})? ([Nn]a[Nn]|[+-]Inf|[-+.\de]+))$/;

async function metrics(): Promise<string> {
  return (await fetch(service().metricsUrl)).text();
}

/** The value of a sample whose labels include the given ones, in any order; 0 where there is none. */
async function count(name: string, ...labels: string[]): Promise<number> {
  const samples = (await metrics()).split('\n').filter((text) => text.startsWith(`${name}{`));
  const sample = samples.find((text) => labels.every((label) => text.includes(label)));
  return Number(sample?.split(' ').at(-1) ?? 0);
}

test('are Prometheus text, with the state of the process', async () => {
  const response = await fetch(service().metricsUrl);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const text = await response.text();
  for (const each of text.trimEnd().split('\n')) if (each !== '') expect(each).toMatch(line);
  expect(text).toContain('process_resident_memory_bytes');
});

test('count and time HTTP answers by method, route and status, never by path', async () => {
  const { team } = await newTeam(service());
  const labels = ['method="DELETE"', 'route="/api/v1/items/*"', 'status="404"'];
  const before = await count('teammemory_http_request_duration_seconds_count', ...labels);
  await team.remove('nowhere/to-be-found.md');
  await eventually('the answer is counted', async () => {
    return (await count('teammemory_http_request_duration_seconds_count', ...labels)) === before + 1;
  });
  expect(await count('teammemory_http_request_duration_seconds_sum', ...labels)).toBeGreaterThan(0);
  expect(await metrics()).not.toContain('to-be-found');
});

test('count and time RPCs by service, method and code, streams too', async () => {
  const { team } = await newTeam(service());
  await team.push(item('a.md', 'The otter sleeps.'));
  await team.ask('Does the otter sleep?');
  await team.remove('b.md');
  const calls = [
    ['content', 'PushItems', 'ok'],
    ['content', 'DeleteItem', 'not_found'],
    ['query', 'Ask', 'ok'],
    ['auth', 'Authenticate', 'ok'],
  ];
  for (const [part, method, code] of calls) {
    const labels = [`service="teammemory.${part}.v1.`, `method="${method}"`, `code="${code}"`];
    expect(
      await count('teammemory_rpc_duration_seconds_count', ...labels),
      `${method} ${code}`,
    ).toBeGreaterThan(0);
  }
});

test('are not to be had through the public port, nor anything else through theirs', async () => {
  expect((await fetch(`${service().url}/metrics`)).status).toBe(404);
  const { origin } = new URL(service().metricsUrl);
  for (const path of ['/', '/healthz', '/api/v1/items', '/metrics/../api']) {
    expect((await fetch(origin + path)).status).toBe(404);
  }
  expect((await fetch(service().metricsUrl, { method: 'POST' })).status).toBe(404);
});

describeWithPromtool('promtool', () => {
  test('finds no fault in the names, types and help texts of our metrics', async () => {
    const ours = (await metrics()).split('\n').filter((text) => /^(# \w+ )?teammemory_/.test(text));
    expect(ours.length).toBeGreaterThan(100);
    expect(promtool(['check', 'metrics'], `${ours.join('\n')}\n`)).toEqual({ code: 0, output: '' });
  });
});
