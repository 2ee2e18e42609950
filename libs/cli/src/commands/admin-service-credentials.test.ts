import {
  createdAt as created_at,
  fakeAuth,
  keyId,
  serveAuth,
} from '@teammemory/client/rpc/serve-auth.fixture.ts';
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

async function runJson(...args: string[]): Promise<unknown> {
  const outcome = await runTms(args, { env });
  return { exitCode: outcome.exitCode, ...JSON.parse(outcome.stdout) };
}

describe('tms admin service', () => {
  it('creates, revokes and lists the credentials of services', async () => {
    const create = ['admin', 'service', 'create', 'search', '--scopes', 'auth:read, feed:read'];
    const credential = { credential_id: keyId, name: 'search', created_at };
    expect(await runJson(...create, '--expires', '90d', '--json')).toEqual({
      exitCode: 0,
      ...credential,
      scopes: ['auth:read', 'feed:read'],
      expires_at: '2027-02-19T00:00:00.000Z',
      credential: `tmss_${keyId}_secret`,
    });
    const revoked = await runJson('admin', 'service', 'revoke', 'search', '--json');
    expect(revoked).toMatchObject({ ...credential, revoked_at: created_at });
    expect(await runJson('admin', 'service', 'list', '--json')).toMatchObject({
      service_credentials: [credential, credential],
    });
    const { stdout } = await runTms(['admin', 'service', 'list'], { env });
    expect(stdout).toBe(`search  ${keyId}  feed:read  expires never\n`.repeat(2));
  });
});
