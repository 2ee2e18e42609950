import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { packageIsTested } from './support/deployment/deployment.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { type EndedProgram, runProgram, runToEnd } from './support/service/run-program.ts';
import { programEnvironment, startService } from './support/service/running-service.ts';

let directory: TemporaryDirectory;
let dataDirectory: string;
beforeEach(async () => {
  directory = await temporaryDirectory();
  dataDirectory = join(directory.path, 'data');
});
afterEach(() => directory.remove());

describe('BOOTSTRAP_TOKEN=off', () => {
  const bootstrapToken = 'x'.repeat(40);
  const start = async (BOOTSTRAP_TOKEN: 'on' | 'off') => {
    const environment = { DEMO: 'off', BOOTSTRAP_TOKEN, TMS_ADMIN_TOKEN: bootstrapToken };
    const started = await startService({ dataDirectory, environment });
    onTestFinished(started.remove);
    return started;
  };

  test('leaves operators as the only administrators, and no credential in the data directory', async () => {
    const first = await start('on');
    const { token } = await asAdministrator(first, (admin) => admin.createOperator({ name: 'ada' }));
    await first.end();
    const second = await start('off');
    expect(existsSync(join(dataDirectory, 'admin.json'))).toBe(false);
    const listAs = (adminToken: string) =>
      asAdministrator({ ...second, adminToken }, (admin) => Array.fromAsync(admin.listTeams()));
    await expect(listAs(bootstrapToken)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await listAs(token)).toEqual([[]]);
    const revoke = (options: { force?: boolean }) =>
      asAdministrator({ ...second, adminToken: token }, (admin) => admin.revokeOperator('ada', options));
    await expect(revoke({})).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await revoke({ force: true })).toMatchObject({ name: 'ada', revoked_at: expect.any(String) });
  });

  test('is refused where there never was an operator, so that nobody is locked out', async () => {
    const ended = await runProgram(dataDirectory, { BOOTSTRAP_TOKEN: 'off' });
    expectOneSentence(ended, 'BOOTSTRAP_TOKEN is off and there is no operator');
  });

  test('goes on for members when no operator is left, and the log says what to do', async () => {
    const first = await start('on');
    await asAdministrator(first, async (admin) => {
      await admin.createOperator({ name: 'ada' });
      await admin.revokeOperator('ada');
    });
    await first.end();
    const second = await start('off');
    expect((await fetch(`${second.url}/readyz`)).status).toBe(200);
    expect(second.output().stderr).toContain('Nobody can administer the installation');
    expect(second.output().stderr).toContain('BOOTSTRAP_TOKEN=on');
  });
});

describe('a start that cannot succeed says why in one sentence and ends with 1', () => {
  for (const setting of ['PORT', 'RPC_PORT', 'METRICS_PORT']) {
    test(`when ${setting} is in use; the data directory is free again for the next start`, async () => {
      const { server, port } = await listenAnywhere();
      try {
        const ended = await runProgram(dataDirectory, { [setting]: String(port) });
        expectOneSentence(ended, `Port ${port} is in use; set ${setting} to another one`);
      } finally {
        server.close();
      }
      expect(existsSync(join(dataDirectory, 'admin.json'))).toBe(false);
      const service = await startService({ dataDirectory });
      await service.remove();
    });
  }

  test('when nothing can listen on HOST', async () => {
    const ended = await runProgram(dataDirectory, { HOST: '192.0.2.1' });
    expectOneSentence(ended, 'Nothing can listen on 192.0.2.1');
  });

  test('when the data directory cannot be made', async () => {
    const file = join(directory.path, 'file');
    await writeFile(file, '');
    const ended = await runProgram(join(file, 'data'));
    expectOneSentence(ended, `The data directory ${join(file, 'data')} cannot be written.`);
  });

  test.runIf(existsSync('/proc/self'))('when the data directory may not even be made by root', async () => {
    expectOneSentence(await runProgram('/proc/data'), 'The data directory /proc/data cannot be written.');
  });

  test('when the data directory is in use by another process, which goes on', async () => {
    const service = await startService({ dataDirectory });
    try {
      const ended = await runProgram(dataDirectory);
      expectOneSentence(ended, `The data directory ${dataDirectory} is in use by another process.`);
      expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    } finally {
      await service.remove();
    }
  });

  test('when MONGODB_URL does not answer, within a bound and without repeating its password', async () => {
    const { server, port } = await listenAnywhere();
    server.close();
    const ended = await runProgram(dataDirectory, {
      MONGODB_URL: `mongodb://root:hunter2@127.0.0.1:${port}`,
    });
    expectOneSentence(ended, 'MongoDB does not answer at the address in MONGODB_URL: connect ECONNREFUSED');
    expect(ended.stderr).not.toContain('hunter2');
  });

  test('when several settings are bad, naming each, and before the data directory is touched', async () => {
    const bad = {
      PORT: 'http',
      RPC_PORT: '-1',
      METRICS_PORT: '65536',
      DEMO: 'maybe',
      LOG_LEVEL: 'loud',
      MONGODB_URL: 'redis://127.0.0.1',
      MONGODB_DATABASE: 'two words',
      TMS_ADMIN_TOKEN: 'hunter2',
      CORS_ORIGINS: 'https://app.example.org/',
      MCP_HOSTS: 'memory.example.org:8080',
      MAX_BODY_BYTES: '8MiB',
      ITEM_HISTORY: '1e2',
      ITEM_WRITES_PER_MINUTE: '0',
      QUESTIONS_PER_MINUTE: '-1',
      INDEX_DISK_MB: '1',
    };
    const ended = await runProgram(dataDirectory, bad);
    expectOneSentence(ended, 'Bad setting: PORT must be a whole number from 0 to 65535; RPC_PORT must be');
    for (const name of Object.keys(bad)) expect(ended.stderr).toContain(`${name} must be`);
    expect(ended.stderr).not.toContain('hunter2');
    expect(existsSync(dataDirectory)).toBe(false);
  });

  for (const [name, environment, sentence] of [
    [
      'a MONGODB_URL that the driver cannot use',
      { MONGODB_URL: 'mongodb://127.0.0.1/?nonsense=1' },
      'Bad setting: MONGODB_URL cannot be used: option nonsense is not supported.',
    ],
    [
      'a secret file that is not there',
      { TMS_ADMIN_TOKEN_FILE: '/nonexistent' },
      'named by TMS_ADMIN_TOKEN_FILE',
    ],
  ] as const) {
    test(`for ${name}`, async () => {
      expectOneSentence(await runProgram(dataDirectory, environment), sentence);
    });
  }

  test('on a machine whose Node is too old', async () => {
    const disguise = join(directory.path, 'old-node.cjs');
    await writeFile(
      disguise,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } });`,
    );
    const args = ['--require', disguise, 'scripts/install-missing.mjs'];
    const ended = await runToEnd(process.execPath, args, programEnvironment(dataDirectory));
    expectOneSentence(ended, 'Node 20 or later is needed, and this is Node 18.20.8');
  });
});

test('unless HOST says otherwise it listens on 127.0.0.1 only, and says so', async () => {
  const service = await startService();
  try {
    expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    await eventually('the banner', () => service.output().stdout.includes('on 127.0.0.1, this machine only'));
    // All of 127.0.0.0/8 is this machine: a listener on every interface would answer there too.
    for (const url of [service.url, service.rpcUrl, service.metricsUrl]) {
      await expect(fetch(url.replace('127.0.0.1', '127.0.0.2')), url).rejects.toThrow();
    }
  } finally {
    await service.remove();
  }
});

test.skipIf(packageIsTested)(
  'on SQLite and without Redis no driver is loaded, which would make the start a third longer',
  async () => {
    const listing = join(directory.path, 'list-modules.cjs');
    await writeFile(
      listing,
      `process.on('exit', () => console.error(Object.keys(require.cache).join('\\n')));`,
    );
    const service = await startService({ environment: { NODE_OPTIONS: `--require ${listing}` } });
    try {
      await service.end();
      const { stderr } = service.output();
      expect(stderr).toContain('/node_modules/fastify/');
      expect(stderr).not.toMatch(/node_modules\/(mongodb|@redis)\//);
    } finally {
      await service.remove();
    }
  },
);

function expectOneSentence({ code, stdout, stderr }: EndedProgram, part: string): void {
  expect(stderr).toContain(part);
  expect(stderr.trimEnd().split('\n'), stderr).toHaveLength(1);
  expect(stderr).not.toMatch(/\bat .*:\d+:\d+|node_modules|[a-z]Error:/);
  expect(stdout).toBe('');
  expect(code).toBe(1);
}

async function listenAnywhere(): Promise<{ server: Server; port: number }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { server, port: address.port };
}
