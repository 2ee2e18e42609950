import { Code, ConnectError } from '@connectrpc/connect';

/** The steps of going away that calls take note of. */
export interface Shutdown {
  /** Aborts when the listener begins to go away. */
  closing: AbortSignal;
  /** Aborts, with an `unavailable` error, when calls had their time. */
  overdue: AbortSignal;
  onClosing(): void;
  onOverdue(): void;
}

/** Makes the signals of a listener that is up. */
export function createShutdown(): Shutdown {
  const [closing, overdue] = [new AbortController(), new AbortController()];
  const reason = new ConnectError('the server is going away', Code.Unavailable);
  return {
    closing: closing.signal,
    overdue: overdue.signal,
    onClosing: () => closing.abort(reason),
    onOverdue: () => overdue.abort(reason),
  };
}
