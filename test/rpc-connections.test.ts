import { connect, type Socket } from 'node:net';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, onTestFinished, test } from 'vitest';
import { partsAreSeparate } from './support/deployment/deployment.ts';
import { partProcesses } from './support/deployment/part-process.ts';
import { sharedService } from './support/service/shared-service.ts';

/** Half of the connections of a port. */
const perAddress = 1_000;
/** What a connection of HTTP/2 begins with, and empty settings. */
const greeting = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
]);
const service = sharedService({ environment: {} });

/** A connection of a program that has another address than the parts. */
function connection(rpcUrl: string, localAddress: string): Socket {
  const { hostname, port } = new URL(rpcUrl);
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  socket.on('error', () => undefined).resume();
  socket.write(greeting);
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Whether the port keeps a connection: it then answers the greeting. */
function isKept(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    socket.once('data', () => resolve(true));
    socket.once('close', () => resolve(false));
  });
}

test('an address has as many connections to an RPC port as half of what it accepts, and another address has its own', async () => {
  const services = partsAreSeparate
    ? partProcesses(service()).filter(({ name }) => name === 'content-1')
    : [];
  for (const rpcUrl of [service().rpcUrl, ...services.map(({ address }) => address)]) {
    const sockets = Array.from({ length: perAddress + 10 }, () => connection(rpcUrl, '127.0.0.3'));
    const kept = await Promise.all(sockets.map(isKept));
    expect(kept.filter(Boolean)).toHaveLength(perAddress);
    expect(await isKept(connection(rpcUrl, '127.0.0.2'))).toBe(true);
    sockets[kept.indexOf(true)]?.destroy();
    await eventually('room again', () => isKept(connection(rpcUrl, '127.0.0.3')));
  }
});
