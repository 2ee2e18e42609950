import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { describe, test } from 'vitest';
import { underAttack } from '../support/attacks/under-attack.ts';
import { exchange } from '../support/rpc/caller-tokens.ts';
import { type StartedService, startService } from '../support/service/running-service.ts';

/** What `ulimit -n` says to the service, and how many connections come. */
const maxOpenFiles = 400;
const connections = 500;

/** Ports that strangers reach, and what a peer may say there before it falls silent. */
const ports: {
  name: string;
  url: (service: StartedService) => string;
  greetings: [string, Buffer][];
}[] = [
  {
    name: 'the RPC port',
    url: ({ rpcUrl }) => rpcUrl,
    greetings: [
      ['nothing', Buffer.alloc(0)],
      ['half a request of HTTP/1.1', Buffer.from('POST / HTTP/1.1\r\nhost: a\r\n')],
      ['half a greeting', Buffer.from('PRI * HTTP/2.0\r\n')],
      [
        'a greeting and settings',
        Buffer.concat([
          Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
          Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
        ]),
      ],
    ],
  },
];

let lastStart: Promise<unknown> = Promise.resolve();

/** Starts the services one after the other: each may be seven processes, which at once would starve each other. */
function startInTurn(): Promise<StartedService> {
  const started = lastStart.then(() => startService({ maxOpenFiles }));
  lastStart = started.catch(() => undefined);
  return started;
}

describe.each(ports)('peers that fall silent on $name', { timeout: 120_000 }, ({ name, url, greetings }) => {
  // Each with a service of its own, at the same time: most of it is waiting until the peers are cut.
  test.concurrent.for(greetings)(
    'after %s leave descriptors to others, and are cut in time',
    async ([said, greeting], { expect, onTestFinished }) => {
      const service = await startInTurn();
      onTestFinished(() => service.remove());
      const { hostname, port } = new URL(url(service));
      const sockets: Socket[] = [];
      onTestFinished(() => {
        for (const socket of sockets) socket.destroy();
      });
      await underAttack(`${connections} peers that say ${said} to ${name}`, service, async () => {
        for (let index = 0; index < connections; index += 1) {
          const socket = connect({ host: hostname, port: Number(port), localAddress: '127.0.0.3' });
          socket.on('error', () => undefined).resume();
          socket.write(greeting);
          sockets.push(socket);
          if (index % 50 === 0) await delay(20);
        }
        const team = await service.createTeam();
        expect(await exchange(service, team.teamKey)).toMatch(/^Bearer /);
        const fromTheirs = await exchange(service, team.externalKey);
        expect(fromTheirs).toMatch(/^Bearer /);
      });
      await eventually('all are cut', () => sockets.every(({ destroyed }) => destroyed), {
        withinMs: 40_000,
      });
    },
  );
});
