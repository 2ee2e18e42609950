import { once } from 'node:events';
import { connect, type SecureClientSessionOptions } from 'node:http2';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { canMakeCertificates, makeCertificates } from '@teammemory/testkit/certificates.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { snapshot } from '../support/analytics/valid-bodies.ts';
import { partProcesses } from '../support/deployment/part-process.ts';
import { item } from '../support/http/api.ts';
import { keyHolder, newTeam } from '../support/http/key-holder.ts';
import { sharedService } from '../support/service/shared-service.ts';

const reason = canMakeCertificates ? '' : ' (skipped: there is no openssl)';

describe.skipIf(!canMakeCertificates)(`parts with certificates${reason}`, async () => {
  if (!canMakeCertificates) return;
  const [{ server: identity, client }, { client: stranger }] = [
    await makeCertificates(),
    await makeCertificates(),
  ];
  const service = sharedService({
    environment: {
      TLS_CERTIFICATE: identity.certificate,
      TLS_KEY: identity.key,
      TLS_AUTHORITY: identity.authority,
    },
  });
  // The administrator's client of these tests trusts what its process trusts.
  const trusted = getCACertificates('default');
  beforeAll(() => setDefaultCACertificates([...trusted, identity.authority]));
  afterAll(() => setDefaultCACertificates(trusted));

  test('everything works over TLS: what is pushed at one gateway is found at the other', async () => {
    const { slug, team } = await newTeam(service());
    const [first, second] = service().urls.map((url) => keyHolder({ url }, { slug }, team.key));
    expect((await first?.push(item('otter.md', 'The otter sleeps in the harbour.')))?.status).toBe(200);
    expect(await second?.rows()).toHaveLength(1);
    expect((await second?.ask('Where does the otter sleep?'))?.sources).toHaveLength(1);
    expect((await second?.call('/metrics', { body: snapshot() }))?.status).toBe(200);
    expect(service().rpcUrl).toMatch(/^https:/);
  });

  test('a caller without a certificate of the authority is cut off at every service', async () => {
    const services = partProcesses(service()).filter(({ name }) => !name.startsWith('gateway-'));
    expect(services).toHaveLength(5);
    for (const { address } of services) {
      expect(await healthStatus(address, identity.authority, client)).toBe(200);
      await expect(healthStatus(address, identity.authority)).rejects.toThrow();
      await expect(healthStatus(address, identity.authority, stranger)).rejects.toThrow();
      await expect(healthStatus(address.replace('https:', 'http:'))).rejects.toThrow();
    }
  });
});

/** The HTTP status of a health check, which needs no token. @throws the error of the connection. */
async function healthStatus(
  address: string,
  authority?: string,
  identity?: { certificate: string; key: string },
): Promise<number> {
  const options: SecureClientSessionOptions = {
    ...(authority === undefined ? {} : { ca: authority }),
    ...(identity === undefined ? {} : { cert: identity.certificate, key: identity.key }),
  };
  const session = connect(address, options);
  const failed = once(session, 'close').then(() => Promise.reject(new Error('the connection was cut')));
  try {
    const call = session.request({
      ':method': 'POST',
      ':path': '/grpc.health.v1.Health/Check',
      'content-type': 'application/json',
    });
    call.end('{}');
    const answered = once(call, 'response') as Promise<[{ ':status': number }]>;
    const [headers] = await Promise.race([
      answered,
      once(session, 'error').then(([error]) => Promise.reject(error)),
      failed,
    ]);
    return headers[':status'];
  } finally {
    session.destroy();
  }
}
