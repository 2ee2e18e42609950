import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keyHolder } from './support/http/key-holder.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { type EndedProgram, runToEnd } from './support/service/run-program.ts';
import { sharedService } from './support/service/shared-service.ts';

// The worked example of docs/analytics.md, as a reader copies it.

/** Fifteen programs one after the other, on a loaded machine. */
const blockTimeoutMs = 120_000;

const service = sharedService();
const root = join(import.meta.dirname, '..');
let directory: TemporaryDirectory;

beforeEach(async () => {
  directory = await temporaryDirectory();
  const program = `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'libs/cli/src/main.ts')}" "$@"\n`;
  await mkdir(join(directory.path, 'bin'));
  await writeFile(join(directory.path, 'bin/tms'), program, { mode: 0o755 });
});

afterEach(() => directory.remove());

/** Reads the blocks of the example. Its teams get names of their own, and its address is that of the test. */
async function blocksOfExample(suffix: string): Promise<string[]> {
  const page = await readFile(join(root, 'docs/analytics.md'), 'utf8');
  const [, section = ''] = /^## From CI and laptops[^\n]*\n([\s\S]*?)^## /m.exec(page) ?? [];
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) =>
    block
      .replaceAll('https://memory.example.com', service().url)
      .replace(/\b(?:rivers|lakes|hills|coasts|plains)\b/g, (team) => `${team}-${suffix}`),
  );
}

/** Runs a block in one shell, in the folder of the test or one below it. */
function run(block: string, env: Record<string, string>, folder = '.'): Promise<EndedProgram> {
  const script = `set -eu\ncd '${join(directory.path, folder)}'\n${block}`;
  const environment = {
    PATH: `${join(directory.path, 'bin')}:${process.env.PATH}`,
    HOME: directory.path,
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
    ...env,
  };
  return runToEnd('bash', ['-c', script], environment, blockTimeoutMs);
}

/** Writes what Claude Code logs of one prompt and its answer. */
async function workWithAnAgent(): Promise<void> {
  const common = { sessionId: 's1', timestamp: new Date().toISOString(), isSidechain: false };
  const usage = {
    input_tokens: 3,
    cache_read_input_tokens: 90,
    cache_creation_input_tokens: 10,
    output_tokens: 5,
  };
  const answer = {
    id: 'a1',
    model: 'claude-sonnet-4-5',
    role: 'assistant',
    content: [],
    stop_reason: 'end_turn',
    usage,
  };
  const lines = [
    { ...common, type: 'user', uuid: 'p1', message: { role: 'user', content: 'Mend the test' } },
    { ...common, type: 'assistant', message: answer },
  ];
  await mkdir(join(directory.path, '.claude/projects/api'), { recursive: true });
  const log = lines.map((line) => JSON.stringify(line)).join('\n');
  await writeFile(join(directory.path, '.claude/projects/api/s1.jsonl'), log);
}

/** Does what the page Team of the dashboard does: adds a member, and makes a key. */
function keyOf(team: string, member: string): Promise<string> {
  return asAdministrator(service(), async (admin) => {
    await admin.addMember({ team, handle: member, role: 'member' });
    return (await admin.createKey({ team, member, tier: 'team' })).key;
  });
}

/** All blocks, of which the first and the last start many programs. */
const timeoutMs = 4 * blockTimeoutMs;

test('five teams get from nothing to their figures side by side by the commands of the page', {
  timeout: timeoutMs,
}, async () => {
  const suffix = randomBytes(4).toString('hex');
  const [teams, scan, report, lead, ...others] = await blocksOfExample(suffix);
  expect(others).toEqual([]);
  const { rpcUrl, adminToken, url } = service();
  const made = await run(teams ?? '', { TMS_RPC_URL: rpcUrl, TMS_ADMIN_TOKEN: adminToken });
  expect(made, made.stderr).toMatchObject({ code: 0, stderr: '' });

  const rivers = `rivers-${suffix}`;
  const ciKey = await keyOf(rivers, 'ci');
  await mkdir(join(directory.path, 'api'));
  const commit =
    'git init -q && echo x > a.js && git add . && git -c user.name=A -c user.email=a@example.org commit -qm One';
  expect(await run(commit, {}, 'api')).toMatchObject({ code: 0 });
  const pushed = await run(scan ?? '', { TMS_URL: url, TMS_TEAM: rivers, TMS_KEY: ciKey }, 'api');
  expect(pushed).toMatchObject({ code: 0, stderr: `tms: pushed to team ${rivers} as api\n` });

  await workWithAnAgent();
  const reported = await run(report ?? '', {});
  expect(reported, reported.stderr).toMatchObject({ code: 0 });
  expect(reported.stdout).toMatch(/Nothing was sent\.[\s\S]*Sent to team /);
  const { status, body } = await keyHolder(service(), { slug: rivers }, ciKey).call('/rollup');
  expect([status, body.current.members]).toEqual([200, 1]);
  const snapshot = JSON.parse(/^\{.*$/m.exec(reported.stdout)?.[0] ?? '');
  for (const member of ['ada', 'bob']) {
    const holder = keyHolder(service(), { slug: rivers }, await keyOf(rivers, member));
    const sent = await holder.call('/metrics', { body: snapshot });
    expect(sent.status).toBe(200);
  }

  const side = await run(lead ?? '', {});
  expect(side, side.stderr).toMatchObject({ code: 0 });
  const rows = side.stdout.split('\n').filter((line) => !/^(?:You are|The key)/.test(line));
  expect(rows[0]?.trim().split(/ +/)).toEqual(
    ['rivers', 'lakes', 'hills', 'coasts', 'plains'].map((team) => `${team}-${suffix}`),
  );
  expect(rows[1]).toMatch(/^members +3 +0 +0 +0 +0$/);
  expect(rows[2]).toMatch(/^now +L\d 3 +withheld +withheld +withheld +withheld$/);
  expect(rows.at(-2)).toMatch(new RegExp(`^${rivers}  api  L\\d `));

  // A key that was stored under the name of another team gets the figures of neither.
  const config = JSON.parse(await readFile(join(directory.path, '.config/tms/config.json'), 'utf8'));
  const keys = { [`${url} ${rivers}`]: config.keys[`${url} lakes-${suffix}`] };
  await writeFile(join(directory.path, 'wrong.json'), JSON.stringify({ keys }), { mode: 0o600 });
  const wrong = await run(`tms rollup --teams --url ${url}`, { TMS_CONFIG: 'wrong.json' });
  expect(wrong).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^tms: /) });
});
