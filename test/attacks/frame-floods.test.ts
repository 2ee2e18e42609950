import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { connectPeer, type Http2Peer, rpcHeaders } from '@teammemory/testkit/http2-peer.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { underAttack } from '../support/attacks/under-attack.ts';
import { exchange } from '../support/rpc/caller-tokens.ts';
import { type StartedService, startService, type Team } from '../support/service/running-service.ts';

/** Connections that send at once, and for how long each that is cut is followed by another. */
const [connections, attackMs] = [10, 3_000];
/** Frames that are written in one piece; a window grows by one each time, and must not exceed 2^31. */
const framesOfPiece = 20_000;
const search = 'teammemory.query.v1.QueryService/Search';
const openMethod = 'teammemory.auth.v1.AuthService/ExchangeCredential';
/** More than the methods that need no key take, in frames of one byte. */
const tinyFrames = 60_000;

/** Frames that are small, well-formed, and no call (RFC 9113, section 6). */
const floods: Record<string, { type: number; payload: Buffer }> = {
  PRIORITY: { type: 2, payload: Buffer.from([0, 0, 0, 3, 5]) },
  SETTINGS: { type: 4, payload: Buffer.from([0, 4, 0, 1, 0, 0]) },
  PING: { type: 6, payload: Buffer.alloc(8) },
  WINDOW_UPDATE: { type: 8, payload: Buffer.from([0, 0, 0, 1]) },
  'unknown frames': { type: 99, payload: Buffer.alloc(0) },
};

describe('frames that are no calls', { timeout: 120_000 }, () => {
  let service: StartedService;
  let team: Team;
  beforeAll(async () => {
    service = await startService();
    team = await service.createTeam();
  });
  afterAll(() => service.remove());

  /** Sends a frame over and over on a few connections; where one is cut the next one comes. */
  async function flood(name: string, localAddress: string, begin: (peer: Http2Peer) => void): Promise<void> {
    const { type, payload } = floods[name] as { type: number; payload: Buffer };
    const ended = new AbortController();
    const attacker = async () => {
      while (!ended.signal.aborted) {
        const peer = await connectPeer(service.rpcUrl, { localAddress });
        peer.socket.setMaxListeners(0);
        begin(peer);
        const stream = type === 2 ? 1 : 0;
        while (!ended.signal.aborted && !peer.isClosed()) {
          await Promise.race([
            peer.repeat({ type, stream, payload }, framesOfPiece),
            delay(attackMs, undefined, { signal: ended.signal }).catch(() => undefined),
          ]);
        }
        peer.close();
        await delay(10);
      }
    };
    const attackers = Array.from({ length: connections }, attacker);
    await delay(attackMs);
    ended.abort();
    await Promise.all(attackers);
  }

  test('cost a bystander nothing where nobody has authenticated', async () => {
    for (const [index, name] of Object.keys(floods).entries()) {
      await underAttack(`${name} without a key`, service, () =>
        flood(name, `127.0.1.${index + 1}`, () => undefined),
      );
    }
  });

  test('cost a bystander nothing where an external key has authenticated', async () => {
    const headers = rpcHeaders(
      search,
      'application/proto',
      await exchange(service, team.externalKey, 'query'),
    );
    for (const [index, name] of ['WINDOW_UPDATE', 'SETTINGS'].entries()) {
      await underAttack(`${name} with an external key`, service, () =>
        flood(name, `127.0.2.${index + 1}`, (peer) => peer.request(headers, { endStream: true })),
      );
    }
  });

  test('hold hardly any memory where they are messages of one byte each', async () => {
    const peers: Http2Peer[] = [];
    await underAttack('messages in frames of one byte', service, async () => {
      for (let index = 0; index < 100; index += 1) {
        const peer = await connectPeer(service.rpcUrl, { localAddress: `127.0.3.${1 + (index % 4)}` });
        peers.push(peer);
        const stream = peer.request(rpcHeaders(openMethod, 'application/proto'));
        void peer.repeat({ type: 0, stream, payload: Buffer.from('a') }, tinyFrames);
      }
      await delay(attackMs);
    });
    await eventually('all are cut', () => peers.every((peer) => peer.isClosed()));
  });

  test('leave other addresses what they had', async () => {
    expect(await exchange(service, team.teamKey)).toMatch(/^Bearer /);
  });
});
