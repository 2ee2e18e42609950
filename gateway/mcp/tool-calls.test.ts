import { allTools } from '@teammemory/mcp/tools/tool-table.ts';
import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { expect, test } from 'vitest';
import { countToolCalls, toolNames } from './tool-calls.ts';

async function series(call: (count: ReturnType<typeof countToolCalls>) => void): Promise<string[]> {
  const metrics = createMetrics();
  call(countToolCalls(metrics));
  const text = await metrics.registry.getSingleMetricAsString('teammemory_mcp_tool_calls_total');
  return text.split('\n').filter((line) => line.startsWith('teammemory_mcp_tool_calls_total'));
}

test('every tool is counted under its name, before its first call too', async () => {
  expect([...toolNames].toSorted()).toEqual(allTools.map(({ name }) => name).toSorted());
  expect(await series(() => undefined)).toEqual(
    toolNames.map((tool) => `teammemory_mcp_tool_calls_total{tool="${tool}",outcome="done"} 0`),
  );
});

test('an outcome that is no code counts as a fault, and a tool that does not exist counts as nothing', async () => {
  const lines = await series((count) => {
    count('fetch', 'not_found');
    count('fetch', 'a text of a client');
    count('a name of a client', 'done');
  });
  expect(lines).toContain('teammemory_mcp_tool_calls_total{tool="fetch",outcome="not_found"} 1');
  expect(lines).toContain('teammemory_mcp_tool_calls_total{tool="fetch",outcome="internal"} 1');
  expect(lines.join()).not.toContain('client');
});
