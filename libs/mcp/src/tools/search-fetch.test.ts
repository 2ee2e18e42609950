import type { CallToolResult } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { dataNotice } from '../framed-text.ts';
import { connectClient, decisionId, filledMemory, itemOf, taskId, textOf } from '../memory.fixture.ts';

test('a connector that knows only search and fetch gets these, in its shape, as one JSON text and as data', async () => {
  const memory = filledMemory();
  const searchFetch = { dashboard: 'https://memory.example.com' };
  const client = await connectClient(memory, 'legacy', { searchFetch });
  const { tools } = await client.listTools();
  expect(tools.map(({ name, inputSchema }) => [name, inputSchema.required])).toEqual([
    ['search', ['query']],
    ['fetch', ['id']],
  ]);
  const call = async (name: string, given: object) => {
    const result = (await client.callTool({ name, arguments: { ...given } })) as CallToolResult;
    expect(result.content).toHaveLength(1);
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
    return result.structuredContent;
  };
  const [passage] = memory.passages;
  if (passage === undefined) throw new Error('no passage');
  memory.passages.push(passage, { ...passage, kind: 'project', row_key: 'projects/ship' });
  memory.passages.push({ ...passage, row_key: `decisions/${decisionId}`, title: 'Tuesdays' });
  expect(await call('search', { query: 'deploying' })).toEqual({
    notice: dataNotice,
    results: [
      {
        id: 'notes/deploying.md',
        title: 'Deploying',
        url: 'https://memory.example.com/memory/notes/deploying.md',
      },
      {
        id: `decisions/${decisionId}`,
        title: 'Tuesdays',
        url: `https://memory.example.com/decisions/${decisionId}`,
      },
    ],
  });
  memory.items.push(itemOf('notes/ä "b.md', 'a'.repeat(100_001)));
  expect(await call('fetch', { id: 'notes/ä "b.md' })).toEqual({
    notice: dataNotice,
    id: 'notes/ä "b.md',
    title: 'notes/ä "b.md',
    text: 'a'.repeat(100_000),
    url: 'https://memory.example.com/memory/notes/%C3%A4%20%22b.md',
    metadata: {
      kind: 'item',
      tier: 'team',
      updated_at: '2026-11-21T06:27:00.123Z',
      updated_by: 'ada',
      cut: 'after 100000 of 100001 characters',
    },
  });
  await expect(client.callTool({ name: 'push', arguments: {} })).rejects.toThrow(/no tool push/);
  const task = (await client.callTool({
    name: 'fetch',
    arguments: { id: `tasks/${taskId}` },
  })) as CallToolResult;
  expect(textOf(task)).toMatch(/^not_found: /);
});
