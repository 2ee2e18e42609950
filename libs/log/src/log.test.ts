import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { silentLog } from './log.ts';

/** Runs a program that has a `log`, and returns what it wrote. */
async function run(program: string, level = 'info') {
  const module = JSON.stringify(join(import.meta.dirname, 'log.ts'));
  const source = `import { createLog } from ${module};
    const log = createLog({ level: '${level}', part: 'content' });
    ${program}`;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', source],
    { cwd: import.meta.dirname },
  );
  const lines = stderr.split('\n').filter((line) => line !== '');
  return { stdout, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

test('a line is one JSON object on standard error, with level, part, process and time', async () => {
  const { stdout, lines } = await run(`log.info({ port: 8080 }, 'listening');`);
  expect(stdout).toBe('');
  expect(lines).toEqual([
    {
      level: 'info',
      part: 'content',
      instance: expect.stringMatching(/^.+:\d+$/),
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      port: 8080,
      msg: 'listening',
    },
  ]);
});

test('lines of two processes of a part are told apart', async () => {
  const logged = await Promise.all([run(`log.info('one');`), run(`log.info('other');`)]);
  const [one, other] = logged.map(({ lines }) => lines[0]?.instance);
  expect(one).not.toBe(other);
});

test('credentials are removed', async () => {
  const { lines } = await run(
    `log.info({ key: 's1', token: 's2', secret: 's3', authorization: 's4', headers: { authorization: 's5', host: 'h' } });`,
  );
  expect(JSON.stringify(lines)).not.toMatch(/s[1-5]/);
  expect(lines).toMatchObject([{ headers: { host: 'h' } }]);
});

test('lines below the level are left out', async () => {
  const { lines } = await run(`log.info('quiet'); log.warn('loud');`, 'warn');
  expect(lines.map(({ msg }) => msg)).toEqual(['loud']);
});

test('the last line before an exit is written', async () => {
  const { lines } = await run(`log.error('last words'); process.exit(0);`);
  expect(lines).toMatchObject([{ msg: 'last words' }]);
});

test('a silent log writes nothing', () => {
  expect(silentLog().isLevelEnabled('fatal')).toBe(false);
});
