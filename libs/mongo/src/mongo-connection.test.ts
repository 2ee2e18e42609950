import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, Socket } from 'node:net';
import { mongoServerForTests } from '@teammemory/testkit/mongo-server.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { faultyProxy } from './faulty-proxy.fixture.ts';
import { connectMongo, isDuplicateKey, type MongoConnection } from './mongo-connection.ts';

const database = `test_${randomUUID().replaceAll('-', '')}`;
const unavailable = {
  code: 'unavailable',
  message: 'The store cannot be reached right now; try again shortly.',
};
/** The longest an operation may take, with room for a loaded machine; less than the 15 s of a silent socket. */
const deadlineMs = 14_000;

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

const server = mongoServerForTests();
const reason = 'reason' in server ? ` (skipped: ${server.reason})` : '';
const url = 'url' in server ? server.url : '';

describe.concurrent('a server that does not answer', () => {
  test('because nothing listens is unavailable in time', async () => {
    const probe = createServer();
    const port = await listen(probe);
    probe.close();
    const startedMs = performance.now();
    await expect(connectMongo({ url: `mongodb://127.0.0.1:${port}`, database })).rejects.toMatchObject(
      unavailable,
    );
    expect(performance.now() - startedMs).toBeLessThan(deadlineMs);
  });

  test('though it takes connections is unavailable in time', async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => sockets.add(socket));
    const port = await listen(silent);
    const startedMs = performance.now();
    await expect(connectMongo({ url: `mongodb://127.0.0.1:${port}`, database })).rejects.toMatchObject(
      unavailable,
    );
    expect(performance.now() - startedMs).toBeLessThan(deadlineMs);
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  test.skipIf(reason !== '')(
    `because it is no primary is unavailable to a write that nobody sends again${reason}`,
    async () => {
      const proxy = await faultyProxy(url);
      const { db, call, close } = await connectMongo({ url: proxy.url, database });
      const rows = db.collection('rows');
      const writes = [
        () => call((deadline) => rows.updateMany({ a: 1 }, { $set: { a: 2 } }, deadline)),
        () => call((deadline) => rows.deleteMany({ a: 1 }, deadline)),
      ];
      for (const write of writes) {
        proxy.arm(1, 'no primary');
        expect(await errorOf(write())).toMatchObject(unavailable);
        expect(proxy.disarm()).toBeDefined();
      }
      await close();
      proxy.close();
    },
  );

  test.skipIf(reason !== '')(
    `though it did before is unavailable in time, to a read, a write and a bulk of writes${reason}`,
    async () => {
      const { port, hostname } = new URL(url);
      const sockets = new Set<Socket>();
      let isSilent = false;
      const proxy = createServer((near) => {
        const far = connect(Number(port), hostname);
        if (!isSilent) near.pipe(far).pipe(near);
        for (const socket of [near, far]) sockets.add(socket.on('error', () => socket.destroy()));
      });
      const through = await connectMongo({
        url: `mongodb://127.0.0.1:${await listen(proxy)}/?directConnection=true`,
        database,
      });
      isSilent = true;
      for (const socket of sockets) socket.unpipe().pause();
      const rows = through.db.collection('rows');
      const startedMs = performance.now();
      const errors = await Promise.all([
        errorOf(through.call((deadline) => rows.findOne({}, deadline))),
        errorOf(through.call((deadline) => rows.insertOne({}, deadline))),
        errorOf(through.call((deadline) => rows.bulkWrite([{ insertOne: { document: {} } }], deadline))),
      ]);
      expect(errors).toMatchObject([unavailable, unavailable, unavailable]);
      expect(performance.now() - startedMs).toBeLessThan(deadlineMs);
      isSilent = false;
      for (const socket of sockets) socket.destroy();
      await through.close();
      proxy.close();
    },
  );
});

describe.skipIf(reason !== '')(`a server that answers${reason}`, () => {
  let connection: MongoConnection;

  beforeAll(async () => {
    connection = await connectMongo({ url, database });
    await connection.db.createIndex('rows', { name: 1 }, { unique: true });
    await connection.db.collection<{ _id: number }>('rows').insertOne({ _id: 1, name: 'taken' } as never);
  });
  afterAll(async () => {
    await connection.db.dropDatabase();
    await connection.close();
  });

  const insert = (row: { _id: number; name: string }) =>
    connection.call((deadline) => connection.db.collection('rows').insertOne(row as never, deadline));
  const insertInBulk = (rows: { _id: number; name: string }[]) =>
    connection.call((deadline) =>
      connection.db.collection('rows').bulkWrite(
        rows.map((document) => ({ insertOne: { document: document as never } })),
        deadline,
      ),
    );

  test('to a ping is there', () => connection.ping());

  test.each([
    ['name_1', { _id: 2, name: 'taken' }],
    ['_id_', { _id: 1, name: 'free' }],
  ])('with a duplicate key says on which index: %s', async (index, row) => {
    for (const error of [await errorOf(insert(row)), await errorOf(insertInBulk([row]))]) {
      expect(isDuplicateKey(error)).toBe(true);
      for (const name of ['name_1', '_id_', 'name', '1']) {
        expect([name, isDuplicateKey(error, name)]).toEqual([name, name === index]);
      }
    }
  });

  test('with another error is not taken for an outage, nor for a duplicate', async () => {
    const error = await errorOf(
      connection.call((deadline) => connection.db.command({ noSuchCommand: 1 }, deadline)),
    );
    expect(error).toMatchObject({ name: 'MongoServerError' });
    expect(isDuplicateKey(error)).toBe(false);
    expect(isDuplicateKey(new Error('E11000 duplicate key'))).toBe(false);
  });

  test('but ends the connection on which the driver is about to write is unavailable', async () => {
    const own = await connectMongo({ url, database });
    // What Node says of a socket that the other side has ended is an error of its own, not one of the driver's.
    const ended = Object.assign(new Error('This socket has been ended by the other party'), {
      code: 'EPIPE',
    });
    vi.spyOn(Socket.prototype, 'write').mockImplementation(function (this: Socket) {
      queueMicrotask(() => this.emit('error', ended));
      return false;
    });
    const found = own.call((deadline) => own.db.collection('rows').findOne({}, deadline));
    await expect(found).rejects.toMatchObject({ ...unavailable, cause: ended });
    vi.restoreAllMocks();
    await own.close();
  });

  test('errors of our own pass through a call', async () => {
    const error = new Error('ours');
    await expect(connection.call(() => Promise.reject(error))).rejects.toBe(error);
  });
});
