import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { pathOf } from './ablation-hooks.ts';
import { rules } from './ablation-rules.ts';

const exportsOfRules = rules.flatMap(({ name, replaced }) =>
  replaced.flatMap(({ module, exports }) =>
    Object.keys(exports).map((exported): [string, string, string] => [name, module, exported]),
  ),
);

test.for(exportsOfRules)(
  'the rule "%s" replaces something that there is: %s, %s',
  async ([, module, name]) => {
    const text = await readFile(pathOf(module), 'utf8');
    expect(text).toMatch(new RegExp(`^export (?:function\\*?|const) ${name}\\b`, 'm'));
  },
);

test('no rule has a name of another', () => {
  expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
});

test('each rule, switched off, changes what is found or answered for at least one question', {
  timeout: 180_000,
}, async () => {
  const command = [join(import.meta.dirname, 'main.ts'), '--memory', '--ablate', '--check', 'harbour'];
  const { stdout } = await promisify(execFile)(process.execPath, command);
  expect(JSON.parse(stdout)).toEqual({ tried: rules.length, dead: [] });
});
