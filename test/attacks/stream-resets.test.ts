import { setTimeout as delay } from 'node:timers/promises';
import { connectPeer, type Http2Peer, rpcHeaders } from '@teammemory/testkit/http2-peer.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { underAttack } from '../support/attacks/under-attack.ts';
import { exchange } from '../support/rpc/caller-tokens.ts';
import { type StartedService, startService } from '../support/service/running-service.ts';

const connections = 10;
/** Ten thousand a second on each connection, for four seconds. */
const wave = { resets: 1_000, everyMs: 100, times: 40 };

/** Opens the connections, resets streams on each in waves, and connects again where it is cut. */
async function resetStreams(url: string, headers: Record<string, string>, localAddress?: string) {
  const connect = () => connectPeer(url, { ...(localAddress && { localAddress }) });
  const peers: Http2Peer[] = [];
  let cut = 0;
  for (let index = 0; index < connections; index += 1) peers.push(await connect());
  for (let time = 0; time < wave.times; time += 1) {
    for (const [index, peer] of peers.entries()) {
      if (peer.isClosed()) {
        cut += 1;
        peers[index] = await connect();
      } else peer.openAndReset(headers, wave.resets);
    }
    await delay(wave.everyMs);
  }
  for (const peer of peers) peer.close();
  return cut;
}

describe('streams that are reset as fast as they are opened', { timeout: 90_000 }, () => {
  let service: StartedService;
  let token: string;
  beforeAll(async () => {
    service = await startService();
    token = await exchange(service, (await service.createTeam()).externalKey, 'query');
  });
  afterAll(() => service.remove());

  test('cost a bystander nothing where nobody has authenticated, on whatever method', async () => {
    for (const method of [
      'teammemory.auth.v1.AuthService/ExchangeCredential',
      'teammemory.content.v1.ContentService/PushItems',
      'grpc.health.v1.Health/Watch',
      'there.is.no.Such/Method',
    ]) {
      await underAttack(`resets without a key, ${method}`, service, async () => {
        const cut = await resetStreams(service.rpcUrl, rpcHeaders(method, 'application/grpc'), '127.0.0.3');
        expect(cut).toBeGreaterThan(connections);
      });
    }
  });

  test('cost a bystander nothing where an external key has authenticated', async () => {
    const headers = rpcHeaders('teammemory.query.v1.QueryService/Ask', 'application/grpc', token);
    await underAttack('resets with an external key', service, async () => {
      expect(await resetStreams(service.rpcUrl, headers, '127.0.0.4')).toBeGreaterThan(connections);
    });
  });

  test('leave the port open to other addresses', async () => {
    const team = await service.createTeam();
    expect(await exchange(service, team.teamKey)).toMatch(/^Bearer /);
  });
});
