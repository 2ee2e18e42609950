import { fakeAuth, keyId, serveAuth } from '@teammemory/client/rpc/serve-auth.fixture.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runTms } from '../testing/run-tms.fixture.ts';

let server: Awaited<ReturnType<typeof serveAuth>>;
let env: Record<string, string>;

beforeAll(async () => {
  server = await serveAuth(fakeAuth);
  env = { TMS_ADMIN_TOKEN: 'token', TMS_RPC_URL: server.rpcUrl };
});

afterAll(() => {
  server.close();
});

const run = (...args: string[]) => runTms(['admin', ...args], { env });

describe('tms admin member role', () => {
  it('changes what a member may do, for people and as JSON', async () => {
    const args = ['member', 'role', 'ada', '--role', 'admin', '--team', 'rivers'];
    expect((await run(...args)).stdout).toBe(
      'ada is now an administrator of rivers, which takes effect within 5 seconds.\n',
    );
    expect(JSON.parse((await run(...args, '--json')).stdout)).toMatchObject({ handle: 'ada', role: 'admin' });
  });
});

describe('tms admin key rotate', () => {
  it('prints the new key once, and until when the old one works', async () => {
    const { stdout } = await run('key', 'rotate', keyId);
    expect(stdout).toContain('tms_new_secret\n');
    expect(stdout).toContain(`The old key ${keyId} works until 2026-11-22T06:27:00.123Z.`);
    const { replaced } = JSON.parse((await run('key', 'rotate', keyId, '--overlap', '0', '--json')).stdout);
    expect(replaced).toMatchObject({ key_id: keyId, expires_at: '2026-11-21T06:27:00.123Z' });
  });

  it.each(['31d', '-1', '1w', 'tomorrow'])('takes no overlap of %s', async (overlap) => {
    const { exitCode, stderr } = await run('key', 'rotate', keyId, `--overlap=${overlap}`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--overlap takes 0 or a span');
  });
});
