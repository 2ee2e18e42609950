import { connect, type Socket } from 'node:net';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, onTestFinished, test } from 'vitest';
import { partsAreSeparate } from './support/deployment/deployment.ts';
import { partProcesses } from './support/deployment/part-process.ts';
import { sharedService } from './support/service/shared-service.ts';

/** Enough for what separate parts, all on one address, keep open to each other. */
const perAddress = 60;
/** What a connection of HTTP/2 begins with, and empty settings. */
const greeting = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
]);
const service = sharedService({ environment: { RPC_CONNECTIONS_PER_ADDRESS: String(perAddress) } });

/** A connection of another program on this machine, or of one that has another address. */
function connection(rpcUrl: string, localAddress = '127.0.0.1'): Socket {
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

test('an address has as many connections to an RPC port as the setting says: the oldest without a call makes way, and another address has its own', async () => {
  const services = partsAreSeparate
    ? partProcesses(service()).filter(({ name }) => name === 'content-1')
    : [];
  for (const rpcUrl of [service().rpcUrl, ...services.map(({ address }) => address)]) {
    const other = connection(rpcUrl, '127.0.0.2');
    expect(await isKept(other)).toBe(true);
    const sockets: Socket[] = [];
    for (let more = 0; more < perAddress + 10; more += 1) {
      const next = connection(rpcUrl);
      expect(await isKept(next)).toBe(true);
      sockets.push(next);
    }
    const open = () => sockets.filter(({ destroyed }) => !destroyed);
    await eventually('the oldest are cut', () => open().length <= perAddress);
    expect(open()).toEqual(sockets.slice(-open().length));
    expect(other.destroyed).toBe(false);
  }
});
