import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { underAttack } from '../support/attacks/under-attack.ts';
import { connectTo, receive } from '../support/http/slow-request.ts';
import { totalOfMetric } from '../support/service/read-metric.ts';
import { type StartedService, startService, type Team } from '../support/service/running-service.ts';

/** Connections that send at once, and for how long each that is cut is followed by another. */
const [connections, attackMs] = [4, 4_000];
/** The bound of one connection. */
const requestsAtOnce = 16;
/** About 2 MiB of the shortest requests that are well-formed. */
const requestsOfPiece = 80_000;

describe('requests that are sent without waiting for answers', { timeout: 90_000 }, () => {
  let service: StartedService;
  let team: Team;
  beforeAll(async () => {
    service = await startService();
    team = await service.createTeam();
  });
  afterAll(() => service.remove());

  /** Sends the same request over and over on a few connections; where one is cut the next one comes. */
  async function sendOverAndOver(request: string, isRead: boolean): Promise<void> {
    const piece = Buffer.from(request.repeat(requestsOfPiece));
    const ended = new AbortController();
    const attacker = async () => {
      while (!ended.signal.aborted) {
        const socket: Socket = await connectTo(service);
        socket.on('error', () => undefined);
        const closed = new Promise((resolve) => socket.once('close', resolve));
        if (isRead) socket.resume();
        socket.write(piece);
        await Promise.race([
          closed,
          delay(attackMs, undefined, { signal: ended.signal }).catch(() => undefined),
        ]);
        socket.destroy();
      }
    };
    const attackers = Array.from({ length: connections }, attacker);
    await delay(attackMs);
    ended.abort();
    await Promise.all(attackers);
  }

  test.each([
    ['no key', () => 'GET / HTTP/1.1\r\nhost:\r\n\r\n'],
    ['a wrong key', () => 'GET /api/v1/items HTTP/1.1\r\nhost:\r\nauthorization: Bearer tms_none\r\n\r\n'],
    [
      'an external key',
      () =>
        `GET /api/v1/projects HTTP/1.1\r\nhost:\r\nauthorization: Bearer ${team.externalKey}\r\nx-svc-team: ${team.slug}\r\n\r\n`,
    ],
  ])('cost a bystander nothing with %s, whether answers are read or not', async (name, request) => {
    for (const isRead of [true, false]) {
      const what = `pipelined requests with ${name}, ${isRead ? 'read' : 'unread'}`;
      await underAttack(what, service, () => sendOverAndOver(request(), isRead));
    }
    expect(await totalOfMetric(service, 'teammemory_http_connections_cut_total')).toBeGreaterThan(
      connections,
    );
  });

  test('are all answered in their order up to the bound, and again on the same connection', async () => {
    const socket = await connectTo(service);
    const received = receive(socket);
    let text = '';
    socket.on('data', (chunk: string) => {
      text += chunk;
    });
    const ids = (round: number) => Array.from({ length: requestsAtOnce }, (_, index) => `r${round}-${index}`);
    const answeredIds = () => [...text.matchAll(/^x-request-id: (\S+)\r$/gim)].map(([, id]) => id);
    const wanted: string[] = [];
    for (const round of [1, 2, 3]) {
      wanted.push(...ids(round));
      socket.write(
        ids(round)
          .map((id) => `GET /healthz HTTP/1.1\r\nhost: a\r\nx-request-id: ${id}\r\n\r\n`)
          .join(''),
      );
      await eventually('all are answered', () => answeredIds().length === wanted.length);
    }
    socket.end();
    await received;
    expect(answeredIds()).toEqual(wanted);
  });
});
