import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { mongoServerForTests } from '@teammemory/testkit/mongo-server.ts';
import { BSON } from 'mongodb';
import { onTestFinished } from 'vitest';
import { connectMongo, type MongoConnection } from './mongo-connection.ts';

/** What becomes of one command that writes. */
export const writeFaults = [
  /** The connection breaks before the server has the command. */
  'cut before',
  /** The server has done it, and the connection breaks before its answer. */
  'cut after',
  /** The answer comes late. */
  'late',
  /** The server gets it twice, and the client the first answer. */
  'sent twice',
  /** The server says that it is no primary, which stands in for an election. */
  'no primary',
] as const;
export type WriteFault = (typeof writeFaults)[number];

/** A way to a MongoDB server on which one command that writes meets a fault. */
export interface FaultyProxy {
  url: string;
  /** The `nth` command that writes meets a fault, 1 for the next one. */
  arm(nth: number, fault: WriteFault): void;
  /** No command meets a fault any more. Returns the name of the one that did, if there were so many. */
  disarm(): string | undefined;
  close(): void;
}

const writingCommands = new Set(['insert', 'update', 'delete', 'findAndModify']);
const lateMs = 100;
const maxAttempts = 5;
const headBytes = 16;
/** Of messages with a command: OP_MSG. */
const messageCode = 2013;

/** Opens a proxy of the one host of a MongoDB address. */
export async function faultyProxy(mongodbUrl: string): Promise<FaultyProxy> {
  const target = new URL(mongodbUrl);
  const sockets = new Set<Socket>();
  let order: { left: number; fault: WriteFault } | undefined;
  let met: string | undefined;

  /** Returns the fault of a command, if it is the one that meets one. */
  function faultOf(command: Record<string, unknown> | undefined): WriteFault | undefined {
    const [name = ''] = Object.keys(command ?? {});
    if (order === undefined || !writingCommands.has(name)) return undefined;
    order.left -= 1;
    if (order.left !== 0) return undefined;
    met = name;
    return order.fault;
  }

  const listener = createServer((client) => {
    const server = connect(Number(target.port || 27_017), target.hostname);
    const cut = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', cut).on('close', cut);
    }
    /** What happens to the answers to commands, by the ids of these. */
    const answers = new Map<number, WriteFault>();
    onMessages(client, (message) => {
      const command = commandOf(message);
      const fault = faultOf(command);
      if (fault === 'cut before') return cut();
      if (fault === 'no primary') return void client.write(noPrimary(message, command));
      if (fault !== undefined) answers.set(message.readInt32LE(4), fault);
      server.write(message);
      if (fault === 'sent twice') server.write(message);
    });
    let sent: number | undefined;
    onMessages(server, (message) => {
      const answered = message.readInt32LE(8);
      const fault = answers.get(answered);
      if (fault === 'cut after') return cut();
      if (fault === 'sent twice' && sent === answered) return;
      sent = answered;
      if (fault === 'late') setTimeout(() => client.write(message), lateMs);
      else client.write(message);
    });
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');

  const url = new URL(mongodbUrl);
  url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  // Else the driver would learn the real address from the server and go there.
  url.searchParams.set('directConnection', 'true');
  // After "no primary" the driver looks no sooner whether there is one.
  url.searchParams.set('heartbeatFrequencyMS', '500');
  return {
    url: url.href,
    arm(nth, fault) {
      order = { left: nth, fault };
      met = undefined;
    },
    disarm() {
      order = undefined;
      return met;
    },
    close() {
      listener.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Connects the running test to a database of the server for tests through a proxy; both are closed at its end. */
export async function connectFaulty(
  database: string,
): Promise<{ proxy: FaultyProxy; connection: MongoConnection }> {
  const server = mongoServerForTests();
  if ('reason' in server) throw new Error(server.reason);
  const proxy = await faultyProxy(server.url);
  onTestFinished(proxy.close);
  const connection = await connectMongo({ url: proxy.url, database });
  onTestFinished(() => connection.close());
  return { proxy, connection };
}

/** Sends again while the answer is `unavailable`, as a client does that gets 503. */
export async function untilAvailable<Result>(send: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if ((error as { code?: string }).code !== 'unavailable' || attempt === maxAttempts) throw error;
    }
  }
}

/** Cuts what comes into messages, each of which begins with its length. */
function onMessages(socket: Socket, take: (message: Buffer) => void): void {
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= headBytes && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      take(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  });
}

/** Behind the head come four bytes of flags, and the kind of the first section, 0 for the command. */
const bodyAt = headBytes + 4 + 1;

function commandOf(message: Buffer): Record<string, unknown> | undefined {
  if (message.readInt32LE(12) !== messageCode || message[bodyAt - 1] !== 0) return undefined;
  return BSON.deserialize(message.subarray(bodyAt, bodyAt + message.readInt32LE(bodyAt)));
}

function noPrimary(request: Buffer, command: Record<string, unknown> | undefined): Buffer {
  const body = BSON.serialize({
    ok: 0,
    errmsg: 'not primary',
    code: 10_107,
    codeName: 'NotWritablePrimary',
    // As a server labels only what may be sent again.
    ...(command?.txnNumber === undefined ? {} : { errorLabels: ['RetryableWriteError'] }),
  });
  const message = Buffer.alloc(bodyAt);
  message.writeInt32LE(bodyAt + body.length, 0);
  message.writeInt32LE(request.readInt32LE(4), 8);
  message.writeInt32LE(messageCode, 12);
  return Buffer.concat([message, body]);
}
