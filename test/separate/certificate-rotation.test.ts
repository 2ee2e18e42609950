import { X509Certificate } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { canMakeCertificates, makeAuthority, type TestIdentity } from '@teammemory/testkit/certificates.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { partProcesses } from '../support/deployment/part-process.ts';
import { startLoad } from '../support/deployment/steady-load.ts';
import { sharedService } from '../support/service/shared-service.ts';

const reason = canMakeCertificates ? '' : ' (skipped: there is no openssl)';
/** Two looks of every part, on a loaded machine. */
const patience = { withinMs: 60_000, everyMs: 200 };

describe.skipIf(!canMakeCertificates)(`certificates in files${reason}`, async () => {
  if (!canMakeCertificates) return;
  const [authority, next, { path, remove }] = [
    await makeAuthority(),
    await makeAuthority(),
    await temporaryDirectory(),
  ];
  const file = (name: keyof TestIdentity) => join(path, `${name}.pem`);
  const write = (identity: TestIdentity) => {
    for (const name of ['certificate', 'key', 'authority'] as const) {
      writeFileSync(`${file(name)}.new`, identity[name]);
      renameSync(`${file(name)}.new`, file(name));
    }
  };
  const first = authority.certify('first');
  write(first);
  const service = sharedService({
    environment: {
      TLS_CERTIFICATE_FILE: file('certificate'),
      TLS_KEY_FILE: file('key'),
      TLS_AUTHORITY_FILE: file('authority'),
    },
  });
  const bundle = `${first.authority}${next.certify('x').authority}`;
  const trusted = getCACertificates('default');
  beforeAll(() => setDefaultCACertificates([...trusted, first.authority, next.certify('x').authority]));
  afterAll(async () => {
    setDefaultCACertificates(trusted);
    await Promise.all([authority.remove(), next.remove(), remove()]);
  });

  /** Serial numbers that the RPC ports show on new connections. */
  const serials = async (identity: TestIdentity) => {
    const services = partProcesses(service()).filter(({ name }) => !name.startsWith('gateway-'));
    const addresses = [...services.map(({ address }) => address), service().rpcUrl];
    return new Set(await Promise.all(addresses.map((address) => serialAt(address, identity))));
  };

  test('a rotation of the certificate and then of the authority, under load, fails no request', async () => {
    const before = await serials(first);
    expect(before.size).toBe(1);
    const load = startLoad(
      service(),
      await service().createTeam(),
      service().urls.map((url) => () => url),
    );
    onTestFinished(load.stop);
    await eventually('some load', () => load.sent.length > 20, patience);

    const steps: TestIdentity[] = [
      { ...authority.certify('second'), authority: first.authority },
      { ...authority.certify('third'), authority: bundle },
      { ...next.certify('fourth'), authority: bundle },
      { ...next.certify('fifth'), authority: next.certify('x').authority },
    ];
    const served = new Set(before);
    for (const identity of steps) {
      write(identity);
      await eventually(
        'the new one everywhere',
        async () => {
          const now = await serials(identity);
          return now.size === 1 && !served.has([...now][0]) && served.add([...now][0]);
        },
        patience,
      );
      const sent = load.sent.length;
      await eventually('requests after it', () => load.sent.length > sent + 40, patience);
    }
    await load.stop();
    expect(load.sent.filter(({ status }) => status !== 200)).toEqual([]);
    expect(await load.lostRows()).toEqual([]);
    expect(service().output().stderr).not.toContain('cannot be used');
  }, 240_000);

  test('a key that does not belong to the certificate is reported once by each part, and requests go on', async () => {
    const running = next.certify('running');
    write(running);
    const own = [new X509Certificate(running.certificate).serialNumber];
    await eventually(
      'it everywhere',
      async () => String([...(await serials(running))]) === String(own),
      patience,
    );
    writeFileSync(file('key'), next.certify('other').key);
    const parts = partProcesses(service()).length;
    const errors = () =>
      service()
        .output()
        .stderr.match(/"msg":"changed certificate files cannot be used/g);
    await eventually('a line of each part', () => errors()?.length === parts, patience);
    expect([...(await serials(running))]).toEqual(own);
    const answer = await fetch(`${service().urls[0]}/readyz`);
    expect(await answer.json()).not.toHaveProperty('degraded');
    write(running);
  });
});

function serialAt(url: string, identity: TestIdentity): Promise<string | undefined> {
  const { hostname, port } = new URL(url);
  const { authority: ca, certificate: cert, key } = identity;
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: hostname,
      port: Number(port),
      ALPNProtocols: ['h2'],
      ca,
      cert,
      key,
    });
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
  });
}
