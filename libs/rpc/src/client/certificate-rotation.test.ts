import { once } from 'node:events';
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import { silentLog } from '@teammemory/log/log.ts';
import {
  canMakeCertificates,
  makeAuthority,
  makeCertificates,
  type TestIdentity,
} from '@teammemory/testkit/certificates.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { serveQueries } from '../server/query-server.fixture.ts';
import { codeOf, connectTo, readStream, whoAnswers } from './query-client.fixture.ts';

const reason = canMakeCertificates ? '' : ' (skipped: there is no openssl)';

describe.skipIf(!canMakeCertificates)(`certificates that are replaced${reason}`, () => {
  test('calls that run meanwhile do not fail, and new connections use the new ones on both sides', async () => {
    const authority = await makeAuthority();
    onTestFinished(authority.remove);
    const certify = () => ({ server: authority.certify('server'), client: authority.certify('client') });
    let present = certify();
    const { url, count } = await serveQueries('a', () => present.server);
    const { query } = connectTo([url], { tls: () => present.client });
    const shown = [await serialShownTo(url, present.client)];
    const cancel = new AbortController();
    const open = codeOf(readStream(query, 'hang', { signal: cancel.signal }));
    await eventually('the stream', () => count.hanging === 1);

    const codes: string[] = [];
    let isOver = false;
    const load = Promise.all(
      Array.from({ length: 8 }, async (_, caller) => {
        while (!isOver) {
          codes.push(await codeOf(caller % 2 === 0 ? query.search({}) : readStream(query, 'q')));
        }
      }),
    );
    for (let rotations = 1; rotations <= 3; rotations += 1) {
      present = certify();
      const before = codes.length;
      await eventually('calls after it', () => codes.length > before + 50);
      shown.push(await serialShownTo(url, present.client));
    }
    isOver = true;
    await load;
    expect(new Set(codes)).toEqual(new Set(['ok']));
    expect(new Set(shown).size).toBe(4);
    // The stream of the first connection is still there: nobody cut it.
    expect(count.hanging).toBe(1);
    cancel.abort();
    expect(await open).toBe('cancelled');
  });

  test('a client goes on over its open connections while an endpoint does not trust its new certificate yet', async () => {
    const [ours, foreign] = [await makeCertificates(), await makeCertificates()];
    let trusted = ours.server.authority;
    let client = ours.client;
    const { url } = await serveQueries(
      'a',
      sourceOf(ours.server, () => trusted),
    );
    const log = silentLog();
    const warn = vi.spyOn(log, 'warn');
    const { query } = connectTo([url], { tls: () => client, log });
    expect(await whoAnswers(query)).toBe('a');
    client = { ...foreign.client, authority: ours.server.authority };
    await eventually('an attempt with the new one', async () => {
      expect(await codeOf(query.search({}))).toBe('ok');
      return warn.mock.calls.length > 0;
    });
    expect(await codeOf(query.search({}))).toBe('ok');
    expect(warn).toHaveBeenCalledTimes(1);
    // Now it learns of the other authority, and the next attempt succeeds: the old connection is not needed any more.
    trusted = `${ours.server.authority}\n${foreign.server.authority}`;
    const another = connectTo([url], { tls: () => client });
    expect(await whoAnswers(another.query)).toBe('a');
    expect(await codeOf(query.search({}))).toBe('ok');
  });

  test('a listener trusts a replaced authority from its next connection on', async () => {
    const [ours, foreign] = [await makeCertificates(), await makeCertificates()];
    let trusted = ours.server.authority;
    const { url } = await serveQueries(
      'a',
      sourceOf(ours.server, () => trusted),
    );
    const client = { ...foreign.client, authority: ours.server.authority };
    expect(await codeOf(connectTo([url], { tls: () => client }).query.search({}))).toBe('unavailable');
    trusted = foreign.server.authority;
    expect(await whoAnswers(connectTo([url], { tls: () => client }).query)).toBe('a');
    expect(await codeOf(connectTo([url], { tls: () => ours.client }).query.search({}))).toBe('unavailable');
  });
});

/** An identity whose authority may change: the same object until it does. */
function sourceOf(identity: TestIdentity, authority: () => string): () => TestIdentity {
  let present = identity;
  return () => {
    if (present.authority !== authority()) present = { ...identity, authority: authority() };
    return present;
  };
}

/** The serial number of the certificate that a server shows on a new connection. */
async function serialShownTo(url: string, { certificate, key, authority }: TestIdentity): Promise<string> {
  const { hostname, port } = new URL(url);
  const options = { ca: authority, cert: certificate, key, ALPNProtocols: ['h2'] };
  const socket: TLSSocket = connect({ host: hostname, port: Number(port), ...options });
  await once(socket, 'secureConnect');
  const peer: PeerCertificate = socket.getPeerCertificate();
  socket.destroy();
  return peer.serialNumber;
}
