import type { Socket } from 'node:net';

/**
 * Makes what cuts a connection whose remote address has `most` others open, so
 * that no caller can take all that a listener has. Called for each, once.
 */
export function limitConnectionsOfAddress(most: number): (socket: Socket) => void {
  const open = new Map<string, number>();
  return (socket) => {
    // Empty where the peer is gone already.
    const { remoteAddress: address = '' } = socket;
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 0) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
    if (count > most) socket.destroy();
  };
}
