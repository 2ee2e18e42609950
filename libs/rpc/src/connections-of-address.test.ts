import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { limitConnectionsOfAddress } from './connections-of-address.ts';

/** A connection from an address, which tells that it is closed as sockets do. */
function connectionFrom(remoteAddress: string) {
  const socket = Object.assign(new EventEmitter(), {
    remoteAddress,
    destroyed: false,
    destroy() {
      socket.destroyed = true;
      socket.emit('close');
    },
  });
  return socket as unknown as Socket;
}

test('an address has so many connections and no more, and others get in beside it', () => {
  const limit = limitConnectionsOfAddress(2);
  const [first, second, third, other] = ['10.0.0.1', '10.0.0.1', '10.0.0.1', '10.0.0.2'].map(connectionFrom);
  const taken = [first, second, third, other] as Socket[];
  for (const socket of taken) limit(socket);
  expect(taken.map(({ destroyed }) => destroyed)).toEqual([false, false, true, false]);
  first?.destroy();
  const [next, last] = [connectionFrom('10.0.0.1'), connectionFrom('10.0.0.1')];
  limit(next);
  limit(last);
  expect([next.destroyed, last.destroyed]).toEqual([false, true]);
});
