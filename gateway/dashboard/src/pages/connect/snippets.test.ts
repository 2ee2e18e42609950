import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mcpClientNames, mcpClients } from '@teammemory/vocabulary/mcp-entries.ts';
import { expect, test } from 'vitest';
import { connections } from './snippets.ts';

const target = { url: 'https://memory.example.com', team: 'rivers' };
const key = 'tms_0123456789ABCDEF_secret';
const page = (name: string) => readFileSync(join(import.meta.dirname, '../../../../../docs', name), 'utf8');
const stepsOf = (name: string) => connections.find((each) => each.name === name)?.steps(target, key) ?? [];
const texts = (name: string) => stepsOf(name).map(({ text }) => text);

test('whatever is connected, the address, the team and the key are in what is pasted', () => {
  for (const { name } of connections) {
    const all = texts(name).join('\n');
    for (const part of [target.url, target.team, key])
      expect([name, all.includes(part)]).toEqual([name, true]);
  }
});

test('the file of each client is one that docs/agents.md lists, and its entry that of tms mcp install', () => {
  const documented = page('agents.md');
  for (const name of mcpClientNames) {
    const { say = '', text = '' } = stepsOf(name).at(-1) ?? {};
    const [, file = ''] = /^Add this to (\S+?)(?::| of)/.exec(say) ?? [];
    expect([name, documented.includes(`\`${file}\``)]).toEqual([name, true]);
    expect(text).toContain(mcpClients[name].format.container);
    // No file has the key: it may be committed.
    expect(text).not.toContain(key);
  }
});

test('the commands of tms are those of the docs', () => {
  const documented = page('cli.md') + page('agents.md');
  const commands = [...texts('tms'), ...texts('desktop')].flatMap((text) => text.split('\n'));
  for (const command of commands.filter((line) => line.startsWith('tms '))) {
    const shape = command.replace(/^(tms \w+).*/, '$1');
    expect([command, documented.includes(shape)]).toEqual([command, true]);
  }
  expect(texts('desktop')[0]).toBe('tms login --agents --url https://memory.example.com --team rivers');
});
