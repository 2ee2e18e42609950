import { expect, test } from 'vitest';
import { isClientName, mcpClientName, nameInMessages } from './client-name.ts';

test('the name of a program is 1 to 64 plain characters', () => {
  for (const name of ['sync', 'mcp:claude-code', 'mcp:@acme/agent 2.1', 'a'.repeat(64)])
    expect(isClientName(name)).toBe(true);
  for (const name of [
    '',
    ' sync',
    ':x',
    'a'.repeat(65),
    'a\nb',
    'a\u001b[31m',
    '<b>',
    'a"b',
    'é',
    'a\u202eb',
  ])
    expect(isClientName(name)).toBe(false);
});

test('what a program of MCP calls itself becomes a name of the same form, whatever it is', () => {
  expect(mcpClientName('claude-code')).toBe('mcp:claude-code');
  expect(mcpClientName('<b>Claude\n"Code"</b>')).toBe('mcp:bClaudeCode/b');
  for (const nothing of [undefined, 7, '', '\u202e', {}]) expect(mcpClientName(nothing)).toBe('mcp');
  for (const long of ['x'.repeat(1_000_000), `${'a '.repeat(40)}`, ' y'])
    expect(isClientName(mcpClientName(long))).toBe(true);
});

test('a program of MCP tells its name when it connects, or in each message', () => {
  const info = { name: 'claude-code', version: '1' };
  const call = { method: 'tools/call', params: { _meta: { 'io.modelcontextprotocol/clientInfo': info } } };
  expect(nameInMessages({ method: 'initialize', params: { clientInfo: info } })).toBe('claude-code');
  expect(nameInMessages([{ method: 'ping' }, call])).toBe('claude-code');
  const nothing = [
    undefined,
    null,
    7,
    [],
    [null],
    { params: null },
    { params: { _meta: 7, clientInfo: null } },
  ];
  for (const message of nothing) expect(nameInMessages(message)).toBeUndefined();
});
