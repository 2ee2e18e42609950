import { expect, test } from 'vitest';
import { clientNameOf } from './request.ts';

const withKey = { authorization: 'Bearer tms_a_b' };
const named = (headers: Record<string, string>, url = '/api/v1/items', body?: unknown) =>
  clientNameOf({ headers, body, routeOptions: { url } } as Parameters<typeof clientNameOf>[0]);

test('a page that has a session is a browser, whatever it says, and no client with a key is', () => {
  expect(named({})).toBe('browser');
  expect(named({ 'x-svc-client': 'sync' }, '/rpc/*')).toBe('browser');
  expect(named({ ...withKey, 'x-svc-client': 'browser' })).toBeUndefined();
});

test('a client with a key is what it says in plain characters, else nothing', () => {
  expect(named({ ...withKey, 'x-svc-client': 'sync' })).toBe('sync');
  expect(named(withKey)).toBeUndefined();
  for (const name of ['', '\u00e9', '<b>', 'sync, sdk', 'a'.repeat(65)])
    expect(named({ ...withKey, 'x-svc-client': name })).toBeUndefined();
});

test('an agent is what its message says, else what its program says, and never another client', () => {
  const message = { params: { _meta: { 'io.modelcontextprotocol/clientInfo': { name: 'claude-code' } } } };
  const agent = { ...withKey, 'user-agent': 'codex/1.0 (linux)', 'x-svc-client': 'sync' };
  expect(named(agent, '/mcp/:team', message)).toBe('mcp:claude-code');
  expect(named(agent, '/mcp', { method: 'tools/call' })).toBe('mcp:codex');
  expect(named(withKey, '/mcp', [null])).toBe('mcp');
});
