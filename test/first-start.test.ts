import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { prepareDeployment } from './support/deployment/deployment.ts';
import { api } from './support/http/api.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { runProgram, runToEnd } from './support/service/run-program.ts';
import { programEnvironment, type StartedService, startService } from './support/service/running-service.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));
const demo = { environment: { DEMO: 'on' } };
/** Up to four starts, one with the pages of docs/ to push. */
const timeoutMs = 120_000;

const signInLink = /http:\/\/127\.0\.0\.1:\d+\/sign-in#tmsl_[0-9A-Za-z]{16}_[0-9A-Za-z]{43}/;

let directory: TemporaryDirectory;
let service: StartedService;
/** What the terminal showed once the demo was there. */
let shown: string;
let keys: { team: string; external: string };

beforeAll(async () => {
  directory = await temporaryDirectory();
  // A start that fails half-way is none: the next one needs no question.
  const taken = createServer();
  await new Promise<void>((listening) => taken.listen(0, '127.0.0.1', listening));
  const { port } = taken.address() as AddressInfo;
  const failed = await runProgram(directory.path, { DEMO: 'on', PORT: String(port) });
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining(`${port} is in use`) });
  taken.close();
  service = await startService({ ...demo, dataDirectory: directory.path });
  shown = await eventually('the lines to paste', () => {
    const { stdout } = service.output();
    return signInLink.test(stdout) && stdout;
  });
  const stored = JSON.parse(readFileSync(join(directory.path, 'demo.json'), 'utf8'));
  keys = { team: stored.team_key, external: stored.external_key };
}, timeoutMs);

afterAll(async () => {
  await service.remove();
  await directory.remove();
});

test('the first start keeps its keys and the admin credential where only their owner can read them', () => {
  for (const file of ['demo.json', 'admin.json']) {
    expect(statSync(join(directory.path, file)).mode & 0o777, file).toBe(0o600);
  }
});

test('a log of the start has no key of the demo, but says which file has them', () => {
  expect(shown).toContain(join(directory.path, 'demo.json'));
  for (const key of Object.values(keys)) expect(shown).not.toContain(key);
});

test('the first start pushes README.md for everyone and docs/ for the team', async () => {
  const docs = await readdir(join(repository, 'docs'), { recursive: true });
  const pages = docs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
  expect(await rowKeys(keys.team)).toEqual(['README.md', ...pages].sort());
  expect(await rowKeys(keys.external)).toEqual(['README.md']);
});

test('the curl line works when it is pasted into a shell', async () => {
  const { code, stdout } = await paste(lineShown('curl '));
  expect(code).toBe(0);
  expect(stdout).toMatch(/^event: delta\ndata: /);
  expect(stdout.trimEnd()).toMatch(/event: done\ndata: \{\}$/);
});

test('the tms line works when it is pasted into a shell', async () => {
  const { code, stdout, stderr } = await paste(lineShown('TMS_URL='));
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(stdout.trim()).not.toBe('');
});

test('every start shows a new link that signs a browser in', async () => {
  expect(lineShown('  http')).toMatch(signInLink);
});

test('a second start shows no key but a new link, pushes nothing, and the keys still work', {
  timeout: timeoutMs,
}, async () => {
  const before = await items(keys.team);
  const firstLink = lineShown('  http');
  expect(await service.end()).toBe(0);
  service = await startService({ ...demo, dataDirectory: directory.path });
  const link = await eventually('the link', () => service.output().stdout.match(signInLink)?.[0]);
  expect(link).not.toBe(firstLink.trim());
  expect(await items(keys.team)).toEqual(before);
  expect(await service.end()).toBe(0);
  // Looked at after the end: by then it would have shown what it had to show.
  expect(service.output().stdout).not.toMatch(/tms_/);
});

describe('data that was there before the first start with a demo', () => {
  let data: TemporaryDirectory;

  beforeEach(async () => {
    data = await temporaryDirectory();
    onTestFinished(data.remove);
  });

  /** Stores what an earlier start without a demo leaves. */
  async function withTeam(slug: string) {
    const first = await startService({ dataDirectory: data.path });
    onTestFinished(first.remove);
    await asAdministrator(first, (admin) => admin.createTeam({ slug, name: 'A team of people' }));
    await first.end();
  }

  const onTerminal = { timeout: timeoutMs, skip: process.platform !== 'linux' };
  test('gets a demo only after a question at a terminal, which is asked once', onTerminal, async () => {
    await withTeam('harbour');
    const second = await startService({ ...demo, dataDirectory: data.path });
    onTestFinished(second.remove);
    await eventually('the end of the start', () => /No demo team was made/.test(second.output().stdout));
    const teams = await asAdministrator(second, (admin) => Array.fromAsync(admin.listTeams()));
    expect(teams.flat().map(({ slug }) => slug)).toEqual(['harbour']);
    await second.end();

    const third = await startAtTerminal(data.path);
    await eventually('the question', () => third.shown().includes('[y/N]'));
    const address = /"gateway":"([^"]+)"/.exec(third.shown())?.[1];
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    third.type('\n');
    await eventually('the end of the start', () => third.shown().includes('No demo team was made'));
    expect(await third.interrupt()).toBe(0);

    // Its presence says that nobody is to be asked again.
    rmSync(join(data.path, 'demo.json'));
    const fourth = await startAtTerminal(data.path);
    await eventually('the question', () => fourth.shown().includes('[y/N]'));
    fourth.type('y\n');
    await eventually('the link', () => signInLink.test(fourth.shown()));
    expect(await fourth.interrupt()).toBe(0);
  });

  test('keeps a team "demo" of others, made while the question waits, as it is', onTerminal, async () => {
    await withTeam('harbour');
    const { shown, type, interrupt } = await startAtTerminal(data.path);
    await eventually('the question', () => shown().includes('[y/N]'));
    const { rpc_url, token } = JSON.parse(readFileSync(join(data.path, 'admin.json'), 'utf8'));
    await asAdministrator({ rpcUrl: rpc_url, adminToken: token }, async (admin) => {
      await admin.createTeam({ slug: 'demo', name: 'Demonstrations' });
      type('y\n');
      await eventually('the end of the start', () => shown().includes('there is a team "demo" already'));
      expect((await Array.fromAsync(admin.listMembers('demo'))).flat()).toEqual([]);
    });
    expect(await interrupt()).toBe(0);
  });

  test('gives nobody keys of its team "demo"', { timeout: timeoutMs }, async () => {
    await withTeam('demo');
    const second = await startService({ ...demo, dataDirectory: data.path });
    onTestFinished(second.remove);
    await eventually('the end of the start', () => /team "demo" already/.test(second.output().stderr));
    const members = await asAdministrator(second, (admin) => Array.fromAsync(admin.listMembers('demo')));
    expect(members.flat()).toEqual([]);
    expect(second.output().stdout).not.toMatch(/tms_/);
  });
});

/** Starts the service on a terminal of its own, where `type` presses keys. */
async function startAtTerminal(dataDirectory: string) {
  const { program, node = process.execPath } = await prepareDeployment();
  const child = spawn('script', ['-qefc', `exec '${node}' '${program}'`, '/dev/null'], {
    cwd: repository,
    env: Object.assign(programEnvironment(dataDirectory), demo.environment),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    shown += text;
  });
  const ended = once(child, 'close').then(([code]) => code);
  const type = (keys: string) => child.stdin.write(keys);
  const interrupt = () => {
    type('\u0003');
    return ended;
  };
  return { shown: () => shown, type, interrupt };
}

function lineShown(start: string): string {
  const line = shown.split('\n').find((text) => text.startsWith(start));
  if (line === undefined) throw new Error(`no line that starts with ${start} in ${shown}`);
  return line;
}

function paste(line: string) {
  return runToEnd('sh', ['-c', line], { PATH: process.env.PATH ?? '', HOME: directory.path });
}

async function items(key: string): Promise<{ row_key: string }[]> {
  const { status, body } = await api(service, { slug: 'demo' }, key, '/api/v1/items?limit=200');
  expect(status).toBe(200);
  return body.items;
}

async function rowKeys(key: string): Promise<string[]> {
  return (await items(key)).map(({ row_key }) => row_key).sort();
}
