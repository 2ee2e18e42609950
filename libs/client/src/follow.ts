import { type CallOptions, ownSignal, pause, pauseAsClient } from './call-options.ts';
import type { ChangedEvent } from './events.ts';
import type { ItemPage } from './item.ts';
import { isTemporary, retryDelayMs } from './retries.ts';
import { TransportError } from './transport-error.ts';

/** With events a look now and then only covers what an event would not tell. */
const lookMs = 60_000;
/** An older service has no events; `docs/client-guide.md` recommends this interval. */
const pollMs = 30_000;

export interface Follow {
  /** Reads pages from a cursor until there are no more. */
  pages(cursor: string | undefined): AsyncGenerator<ItemPage>;
  events(options: CallOptions): AsyncGenerator<ChangedEvent>;
  /** The position to start from. */
  cursor: string | undefined;
  signal: AbortSignal | undefined;
}

/**
 * Yields a page whenever items change, and never ends by itself. The first page comes at once, even if it is empty, so
 * that its cursor can be stored. Outages are waited out. Throws what `pages` throws for any other reason, and
 * TransportError `cancelled` when the signal aborts.
 */
export async function* followChanges({ pages, events, cursor, signal }: Follow): AsyncGenerator<ItemPage> {
  const bell = ringWhenItemsChange(events, signal);
  let next = cursor;
  let isFirst = true;
  try {
    for (let failures = 0; ; ) {
      try {
        for await (const page of pages(next)) {
          failures = 0;
          const isNews = isFirst || page.items.length > 0;
          isFirst = false;
          next = page.next_cursor;
          if (isNews) yield page;
        }
        await bell.wait();
      } catch (thrown) {
        if (!isTemporary(thrown)) throw thrown;
        failures += 1;
        await pauseAsClient(Math.min(retryDelayMs(failures, thrown), lookMs), signal);
      }
    }
  } finally {
    bell.stop();
  }
}

/** Remembers whether items changed since the last wait. Events that nobody waited for ring once. */
interface Bell {
  /** Resolves after a change, or when it is time for a look. Throws TransportError `cancelled` if the signal aborts. */
  wait(): Promise<void>;
  stop(): void;
}

function ringWhenItemsChange(events: Follow['events'], caller: AbortSignal | undefined): Bell {
  const { signal, end } = ownSignal(caller);
  let isRung = false;
  let hasEvents = true;
  let ring = () => {
    isRung = true;
  };

  async function listen(): Promise<void> {
    let newest: string | null | undefined;
    for await (const { items } of events({ signal })) {
      if (items !== newest) ring();
      newest = items;
    }
  }
  // A service without events, or a refusal that the next page will also get, leaves the interval.
  listen().catch(() => {
    hasEvents = false;
  });

  return {
    async wait() {
      if (!isRung) {
        const woken = ownSignal(signal);
        ring = woken.end;
        await pause(hasEvents ? lookMs : pollMs, woken.signal).catch(() => undefined);
        woken.end();
        if (signal.aborted) throw new TransportError('cancelled', 'The call was cancelled.', signal.reason);
      }
      isRung = false;
      ring = () => {
        isRung = true;
      };
    },
    stop: end,
  };
}
