import { randomUUID } from 'node:crypto';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { connectPeer } from '@teammemory/testkit/http2-peer.ts';
import { type ModelServer, startModelServer } from '@teammemory/testkit/model-server.ts';
import { mongoServerForTests } from '@teammemory/testkit/mongo-server.ts';
import { alertsRaisedBy, describeWithPromtool } from '@teammemory/testkit/promtool.ts';
import { startRedisServer } from '@teammemory/testkit/redis-server.ts';
import { expect, onTestFinished, test } from 'vitest';
import { item } from './support/http/api.ts';
import { newTeam, type TeamClients } from './support/http/key-holder.ts';
import { connectTo } from './support/http/slow-request.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { dropTables } from './support/service/drop-tables.ts';
import { type StartedService, startService } from './support/service/running-service.ts';
import { plentyOfWrites } from './support/service/shared-service.ts';
import { startReceiver } from './support/webhooks/receiver.ts';

const timeoutMs = 120_000;

async function started(options: Parameters<typeof startService>[0] = {}): Promise<StartedService> {
  const service = await startService({
    ...options,
    environment: { DEMO: 'off', ...plentyOfWrites, ...options.environment },
  });
  onTestFinished(service.remove);
  return service;
}

/** What a service has to do all day. */
async function ordinaryWork({ team }: TeamClients): Promise<void> {
  const name = `${randomUUID()}.md`;
  await team.push(item(name, 'Marmalade is kept in the cellar.'));
  await team.pull();
  await team.call('/tasks');
  await team.call('/query', { body: { q: 'where is the marmalade kept' } });
  await team.remove(name);
}

/** Returns the alerts that are raised if what a fault does goes on. `cause` causes it and waits until it is felt. */
async function raisedWhile(service: StartedService, cause: () => Promise<unknown>): Promise<string[]> {
  const before = await service.metrics();
  await cause();
  return alertsRaisedBy(before, await service.metrics());
}

/** A model server of the test. */
async function model(reply: Parameters<typeof startModelServer>[0]): Promise<ModelServer> {
  const server = await startModelServer(reply);
  onTestFinished(server.stop);
  return server;
}

/** Passes connections on to a port, until it is cut. */
async function cuttable(port: number): Promise<{ port: number; cut(): void }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    const onward = connect(port, '127.0.0.1');
    for (const each of [socket, onward]) {
      sockets.add(each);
      each.on('error', () => undefined).once('close', () => sockets.delete(each));
    }
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(cut);
  return { port: (server.address() as { port: number }).port, cut };
}

describeWithPromtool('an injected fault raises the alert for it', () => {
  test('and ordinary work raises none', { timeout: timeoutMs }, async () => {
    const service = await started();
    const team = await newTeam(service);
    await ordinaryWork(team);
    expect(await raisedWhile(service, () => ordinaryWork(team))).toEqual([]);
  });

  test('tables that are gone', { timeout: timeoutMs }, async () => {
    const service = await started();
    const { team } = await newTeam(service);
    await team.push(item('a.md', 'x'));
    const raised = await raisedWhile(service, async () => {
      dropTables(service);
      expect((await team.call('/tasks')).status).toBe(500);
    });
    expect(raised).toEqual(
      expect.arrayContaining(['TeamMemoryInternalErrors', 'TeamMemoryInternalRpcErrors']),
    );
    const others = ['TeamMemoryInternalErrors', 'TeamMemoryInternalRpcErrors', 'TeamMemoryFeedsNotFollowed'];
    expect(raised.filter((name) => !others.includes(name))).toEqual([]);
  });

  test('a model that does not answer', { timeout: timeoutMs }, async () => {
    const failing = await model((reply) => reply.status(500));
    const service = await started({
      environment: {
        OPENAI_API_KEY: 'sk-fault',
        OPENAI_BASE_URL: failing.baseUrl,
        OPENAI_MODEL: 'writer',
        MODEL_PRICES: '{"writer":{"input":1,"output":1}}',
      },
    });
    const { team } = await newTeam(service);
    await team.push(item('a.md', 'Marmalade is kept in the cellar.'));
    expect(
      await raisedWhile(service, () => team.call('/query', { body: { q: 'where is the marmalade kept' } })),
    ).toEqual(['TeamMemoryModelFails']);
  });

  test('an embedding model that does not answer', { timeout: timeoutMs }, async () => {
    const failing = await model((reply) => reply.status(500));
    const service = await started({
      environment: {
        OPENAI_EMBEDDING_MODEL: 'scripted',
        OPENAI_EMBEDDING_BASE_URL: failing.baseUrl,
        MODEL_PRICES: '{"scripted":{"input":1}}',
        INDEX_REFRESH_SECONDS: '1',
      },
    });
    const { team } = await newTeam(service);
    const raised = await raisedWhile(service, async () => {
      await team.push(item('a.md', 'Marmalade is kept in the cellar.'));
      await team.call('/query', { body: { q: 'where is the marmalade kept' } });
      await eventually('a call has failed', async () =>
        /embedding_call_duration_seconds_count\{outcome="failed"\} [1-9]/.test(await service.metrics()),
      );
    });
    expect(raised).toEqual(['TeamMemoryEmbeddingFails']);
  });

  test('more connections than the RPC port takes from one address', { timeout: timeoutMs }, async () => {
    const service = await started({ maxOpenFiles: 400 });
    const raised = await raisedWhile(service, async () => {
      await eventually('connections were refused', async () => {
        const peers = await Promise.all(
          Array.from({ length: 80 }, () => connectPeer(service.rpcUrl, { localAddress: '127.0.0.7' })),
        );
        for (const peer of peers) onTestFinished(peer.close);
        return /rpc_connections_refused_total [1-9]/.test(await service.metrics());
      });
    });
    expect(raised).toEqual(['TeamMemoryRpcConnectionsRefused']);
  });

  test('more connections than the public port has room for', { timeout: timeoutMs }, async () => {
    const service = await started({ maxOpenFiles: 400 });
    const raised = await raisedWhile(service, async () => {
      for (let count = 0; count < 300; count++) {
        const socket = await connectTo(service);
        onTestFinished(() => void socket.destroy());
        socket.on('error', () => undefined).resume();
        socket.write('GET /api/v1/items HTTP/1.1\r\n');
      }
      await eventually('connections were closed', async () =>
        /http_connections_closed_total [1-9]/.test(await service.metrics()),
      );
    });
    expect(raised).toEqual(['TeamMemoryConnectionsFull']);
  });

  test('a webhook whose receiver is gone', { timeout: timeoutMs }, async () => {
    const service = await started({ environment: { WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.1' } });
    const team = await newTeam(service);
    const receiver = await startReceiver();
    onTestFinished(receiver.close);
    receiver.answer(410);
    await asAdministrator(service, (admin) => admin.webhooks(team.slug).create({ url: receiver.url }));
    const raised = await raisedWhile(service, async () => {
      await team.team.push(item('a.md', 'x'));
      await eventually('the webhook is off', async () => /webhooks_off 1/.test(await service.metrics()), {
        withinMs: 90_000,
      });
    });
    expect(raised).toEqual(['TeamMemoryWebhookOff']);
  });

  test('a Redis that is gone', { timeout: timeoutMs }, async () => {
    const redis = await startRedisServer();
    onTestFinished(redis.remove);
    const service = await started({ environment: { REDIS_URL: redis.url } });
    const { team } = await newTeam(service);
    await eventually('Redis is used', async () => /redis_up 1/.test(await service.metrics()));
    const raised = await raisedWhile(service, async () => {
      await redis.kill();
      await eventually('the loss is noticed', async () => /redis_up 0/.test(await service.metrics()));
      expect((await team.push(item('a.md', 'x'))).status).toBe(200);
    });
    expect(raised).toEqual(['TeamMemoryRedisLost']);
  });

  const mongo = mongoServerForTests();
  test.skipIf('reason' in mongo)('a MongoDB that cannot be reached', { timeout: timeoutMs }, async () => {
    if (!('url' in mongo)) return;
    const url = new URL(mongo.url);
    const way = await cuttable(Number(url.port));
    const through = mongo.url
      .replace(url.port, String(way.port))
      .replace(/\/?(\?.*)?$/, '/?directConnection=true');
    const service = await started({
      mongodbUrl: through,
      environment: { MONGODB_DATABASE: `test_${randomUUID().replaceAll('-', '')}` },
    });
    const { team } = await newTeam(service);
    await team.push(item('a.md', 'x'));
    const raised = await raisedWhile(service, async () => {
      way.cut();
      expect((await team.push(item('b.md', 'x'))).status).toBe(503);
    });
    expect(raised).toEqual(expect.arrayContaining(['TeamMemoryUnavailable', 'TeamMemoryServiceUnavailable']));
    const expected = [
      'TeamMemoryUnavailable',
      'TeamMemoryServiceUnavailable',
      'TeamMemoryMongodbLost',
      'TeamMemoryFeedsNotFollowed',
    ];
    expect(raised.filter((name) => !expected.includes(name))).toEqual([]);
  });
});
