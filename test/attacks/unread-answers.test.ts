import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { connectPeer, type Http2Peer, rpcHeaders } from '@teammemory/testkit/http2-peer.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { underAttack } from '../support/attacks/under-attack.ts';
import { exchange } from '../support/rpc/caller-tokens.ts';
import { type StartedService, startService } from '../support/service/running-service.ts';

const connections = 100;
const mebibyte = 1024 * 1024;
/** What HTTP/2 lets a peer send before it has acknowledged the other side's settings. */
const firstWindowBytes = 65_535;
const openMethods = [
  'teammemory.auth.v1.AuthService/ExchangeCredential',
  'grpc.health.v1.Health/Check',
  'grpc.health.v1.Health/Watch',
  'grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
  'grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo',
];

/** So many messages of reflection that each ask for a file, in envelopes. */
function reflectionQuestions(bytes: number): Buffer {
  const symbol = Buffer.from('teammemory.content.v1.ContentService');
  const message = Buffer.concat([Buffer.from([0x22, symbol.length]), symbol]);
  const envelope = Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message]);
  return Buffer.concat(Array.from({ length: Math.floor(bytes / envelope.length) }, () => envelope));
}

/** A message that says it has 20 MiB, in an envelope. */
function longMessage(bytes: number): Buffer {
  const body = Buffer.alloc(bytes, 'a');
  body.writeUInt8(0, 0);
  body.writeUInt32BE(20 * mebibyte, 1);
  return body;
}

describe('peers that never read', { timeout: 120_000 }, () => {
  let service: StartedService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.remove());

  /** Connections that take no byte of an answer; `attack` says what each sends. */
  async function neverRead(name: string, acknowledges: boolean, attack: (peer: Http2Peer) => void) {
    const peers: Http2Peer[] = [];
    await underAttack(name, service, async () => {
      for (let index = 0; index < connections; index += 1) {
        const peer = await connectPeer(service.rpcUrl, {
          receiveWindowBytes: 0,
          acknowledges,
          localAddress: '127.0.0.3',
        });
        attack(peer);
        peers.push(peer);
      }
      // What is held is held now.
      await delay(1_000);
    });
    return peers;
  }

  test.each(openMethods)('of %s hold nothing, however much they send', async (method) => {
    const isReflection = method.includes('reflection');
    for (const [type, body] of [
      ['application/proto', Buffer.alloc(20 * mebibyte)],
      ['application/grpc', isReflection ? reflectionQuestions(20 * mebibyte) : longMessage(20 * mebibyte)],
    ] as const) {
      const headers = rpcHeaders(method, type);
      await neverRead(`${method}, ${type}, 20 MiB whatever the window`, true, (peer) =>
        peer.flood(peer.request(headers), body),
      );
      const first = body.subarray(0, firstWindowBytes);
      await neverRead(`${method}, ${type}, many streams within the first window`, false, (peer) => {
        for (let stream = 0; stream < 32; stream += 1) peer.flood(peer.request(headers), first);
      });
    }
  });

  test('are cut in time, and calls of others go on', async () => {
    const headers = rpcHeaders(openMethods[0] ?? '', 'application/proto');
    const peers = await neverRead('a message that never ends', true, (peer) => {
      peer.flood(peer.request(headers), Buffer.alloc(100));
    });
    await eventually('all are cut', () => peers.every((peer) => peer.isClosed()), { withinMs: 60_000 });
    expect(await exchange(service, (await service.createTeam()).teamKey)).toMatch(/^Bearer /);
  });
});
