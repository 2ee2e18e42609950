import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createRollingWindow, type RateLimiter } from '@teammemory/admission/rolling-window.ts';
import { silentLog } from '@teammemory/log/log.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { createNetworkTransport } from '@teammemory/rpc/client/network-transport.ts';
import { startRpcServer } from '@teammemory/rpc/server/rpc-server.ts';
import { rpcService } from '@teammemory/rpc/server/rpc-service.ts';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { createClients } from '../clients.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import { pushItems } from './routes.ts';

const caller = {
  teamId: 'team-id',
  teamSlug: 'blue',
  memberId: 'member-id',
  memberHandle: 'ada',
  tier: 'team' as const,
  access: 'write' as const,
  keyId: 'k'.repeat(16),
};

/** Forwards bytes to a port; `cut` ends all connections, as the death of the process behind it would. */
async function startRelay(port: number): Promise<{ url: string; cut(): void }> {
  const sockets = new Set<Socket>();
  const relay = createServer((near) => {
    const far = connect({ host: '127.0.0.1', port });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined).on('close', () => other.destroy());
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void relay.close());
  return {
    url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    cut() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/**
 * The route in front of a content service that stores row keys. The answers to
 * its first `lost` pushes are lost after it has stored them; `onPlan` is called after it has judged a batch, and `names`
 * returns what it names of the items to be written.
 */
async function startRoute(
  lost: number,
  onPlan?: (stored: Set<string>) => void,
  names: (pending: number[]) => number[] = (pending) => pending,
) {
  const stored = new Set<string>();
  let answersToLose = lost;
  const content = rpcService(ContentService, {
    pushItems({ items, validateOnly }) {
      const fresh = items.filter(({ rowKey }) => !stored.has(rowKey));
      if (validateOnly) {
        const pending = fresh.map((item) => items.indexOf(item));
        onPlan?.(stored);
        const named = names(pending);
        return { accepted: items.length - named.length, written: fresh.length, pending: named };
      }
      for (const { rowKey } of fresh) stored.add(rowKey);
      if (answersToLose > 0) {
        answersToLose -= 1;
        relay.cut();
      }
      return { accepted: items.length, written: fresh.length };
    },
  });
  const services = [{ service: content, interceptors: [], requestGate: async () => undefined }];
  const server = await startRpcServer({ host: '127.0.0.1', port: 0, services, drainTimeoutMs: 0 });
  onTestFinished(server.close);
  const relay = await startRelay(server.port);
  const transport = createNetworkTransport({ urls: [relay.url], log: silentLog() });
  onTestFinished(transport.close);
  const limit = 60;
  const itemWrites: RateLimiter = createRollingWindow({ clock: () => performance.now(), limit });
  const transports = { analytics: transport, auth: transport, content: transport, query: transport };
  const callers = { tokenFor: async () => 'token' };
  const app = fastify();
  app.addHook('onRequest', async (request) => {
    request.caller = caller;
  });
  app.post('/', pushItems({ clients: createClients(transports, callers), itemWrites } as RouteDependencies));
  onTestFinished(() => app.close());
  return { app, stored, remaining: async () => (await itemWrites.quota(caller.keyId)).remaining };
}

const item = (row_key: string) => ({
  row_key,
  content: '# A',
  frontmatter: {},
  tier: 'team',
  checksum: `sha256:${'a'.repeat(64)}`,
});
const items = ['a.md', 'b.md', 'c.md'].map(item);

test('a push succeeds although the process dies between commit and answer, and its slots stay used', async () => {
  const { app, stored, remaining } = await startRoute(1);
  const { statusCode, body } = await app.inject({ method: 'POST', url: '/', payload: { items } });
  expect([statusCode, JSON.parse(body)]).toEqual([200, { accepted: 3, rejected: 0, errors: [] }]);
  expect([...stored]).toEqual(['a.md', 'b.md', 'c.md']);
  expect(await remaining()).toBe(57);
});

test('what changes nothing needs no slot, and the rest of its batch one each', async () => {
  const { app, remaining } = await startRoute(0);
  const push = (...names: string[]) =>
    app.inject({ method: 'POST', url: '/', payload: { items: names.map(item) } });
  const most = Array.from({ length: 59 }, (_, index) => `${index}.md`);
  await push(...most);
  expect(JSON.parse((await push(...most, 'last.md')).body)).toMatchObject({ accepted: 60 });
  expect(await remaining()).toBe(0);
  expect((await push(...most, 'last.md')).statusCode).toBe(200);
});

test('a push never writes more than it has slots for, even if an item changes after it was looked at', async () => {
  const { app, stored, remaining } = await startRoute(0, (stored) => stored.delete('a.md'));
  stored.add('a.md');
  const { body } = await app.inject({ method: 'POST', url: '/', payload: { items } });
  expect(JSON.parse(body)).toEqual({ accepted: 3, rejected: 0, errors: [] });
  expect([...stored]).toEqual(['b.md', 'c.md']);
  expect(await remaining()).toBe(58);
});

test('content of 0.1, which names no items to be written, loses none during a rolling upgrade', async () => {
  const { app, stored, remaining } = await startRoute(
    0,
    () => undefined,
    () => [],
  );
  const { body } = await app.inject({ method: 'POST', url: '/', payload: { items } });
  expect(JSON.parse(body)).toEqual({ accepted: 3, rejected: 0, errors: [] });
  expect([...stored]).toEqual(['a.md', 'b.md', 'c.md']);
  expect(await remaining()).toBe(57);
});
