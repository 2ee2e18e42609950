import { createPrivateKey, createPublicKey } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { runToEnd } from './support/service/run-program.ts';

const run = (program: string, ...args: string[]) =>
  runToEnd(process.execPath, [`deploy/${program}`, ...args], { PATH: process.env.PATH ?? '' });

/** A folder that goes with the test. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'teammemory-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe('deploy/make-keys.ts', () => {
  const names = ['admin-token', 'signing-key.pem', 'verification-keys.pem'];
  const contents = (folder: string) => names.map((name) => readFileSync(join(folder, name), 'utf8'));

  test('makes a key pair and a token that the parts accept, for their owner only', async () => {
    const folder = newFolder();
    expect(await run('make-keys.ts', folder)).toMatchObject({ code: 0, stderr: '' });
    const [token = '', signing = '', verification = ''] = contents(folder);
    expect(createPublicKey(createPrivateKey(signing)).equals(createPublicKey(verification))).toBe(true);
    expect(createPublicKey(verification).asymmetricKeyType).toBe('ed25519');
    expect(token).toMatch(/^[\x21-\x7e]{32,256}\n$/);
    expect(readdirSync(folder).toSorted()).toEqual(names);
    expect(names.map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600, 0o600]);
  });

  test('hands each secret out in a folder of its own where it is told to, and the same ones again', async () => {
    const folder = newFolder();
    const copies = join(folder, 'copies');
    const handedOut = () =>
      Object.fromEntries(
        ['admin', 'mongodb', 'mongodb-url', 'redis', 'redis-url', 'signing', 'verification'].map((place) => [
          place,
          Object.fromEntries(
            readdirSync(join(copies, place)).map((name) => {
              const file = join(copies, place, name);
              expect(statSync(file).mode & 0o777, file).toBe(0o600);
              return [name, readFileSync(file, 'utf8')];
            }),
          ),
        ]),
      );
    expect(await run('make-keys.ts', folder, copies)).toMatchObject({ code: 0, stderr: '' });
    const first = handedOut();
    const [token, signing, verification] = contents(folder);
    const { mongodb = {}, redis = {} } = first;
    for (const password of [...Object.values(mongodb), redis.password]) {
      expect(password).toMatch(/^[0-9a-f]{64}$/);
    }
    expect(new Set([...Object.values(mongodb), redis.password]).size).toBe(4);
    expect(first).toEqual({
      admin: { 'admin-token': token },
      signing: { 'signing-key.pem': signing },
      verification: { 'verification-keys.pem': verification },
      mongodb: expect.objectContaining({
        'member-key': expect.anything(),
        'root-password': expect.anything(),
      }),
      'mongodb-url': {
        url: `mongodb://parts:${mongodb['parts-password']}@mongodb:27017/?replicaSet=rs0&authSource=admin`,
      },
      redis: { password: redis.password, 'redis.conf': `requirepass ${redis.password}\n` },
      'redis-url': { url: `redis://:${redis.password}@redis:6379` },
    });
    expect(await run('make-keys.ts', folder, copies)).toMatchObject({ code: 0, stderr: '' });
    expect(handedOut()).toEqual(first);
  });

  test('leaves what is there as it is', async () => {
    const folder = newFolder();
    await run('make-keys.ts', folder);
    const before = contents(folder);
    expect(await run('make-keys.ts', folder)).toMatchObject({ code: 0 });
    expect(contents(folder)).toEqual(before);
  });
});

describe('deploy/health-check.ts', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  /** A part's port: answers `/readyz` with the status, everything else with 404. */
  async function port(status: number, host = '127.0.0.1'): Promise<string> {
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/readyz' ? status : 404).end();
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    return String((server.address() as AddressInfo).port);
  }

  test('is content when one of the ports says that the part is ready', async () => {
    expect(await run('health-check.ts', '0.0.0.0', await port(404), await port(200))).toMatchObject({
      code: 0,
      stderr: '',
    });
  });

  const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
    all?.some(({ address }) => address === '::1'),
  );
  test.skipIf(!hasIpv6)('asks a part that listens on one address of IPv6', async () => {
    expect(await run('health-check.ts', '::1', await port(200, '::1'))).toMatchObject({
      code: 0,
      stderr: '',
    });
  });

  test('fails when the part is not ready or nothing answers', async () => {
    const unready = await port(503);
    const closed = await port(200);
    servers.at(-1)?.close();
    const { code, stderr } = await run('health-check.ts', '127.0.0.1', unready, closed);
    expect(code).toBe(1);
    expect(stderr).toContain(`port ${unready} answers 503`);
  });
});
