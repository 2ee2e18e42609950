import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createFairPermits, type PermitHolder } from '../fair-permits.ts';

const mebibyte = 1024 * 1024;

/**
 * Pages that content is asked for at once, or that wait for room until they are sent. One has up to 8 MiB, so a team
 * whose readers ask wildly waits for itself.
 */
const [madeAtOnce, madeAtOnceOfTeam, madeAtOnceOfKey] = [24, 4, 2];
/**
 * Bytes of large pages that were made and not yet taken by their readers, each page counted once however many read it:
 * a reader who takes nothing holds his page until his connection is cut. An address may be a reverse proxy.
 */
const unreadBytes = {
  inAll: 128 * mebibyte,
  perAddress: 96 * mebibyte,
  perTeam: 64 * mebibyte,
  perKey: 32 * mebibyte,
};
/** Smaller pages fit into what the operating system holds for a connection. */
const largePageBytes = 64 * 1024;
/** How long a request waits for its turn or for room. */
const waitMs = 10_000;

/** How pages are made and sent, within bounds. */
export interface PageAnswers {
  /**
   * Makes a page when it is the team's turn, and waits for room for it.
   * @throws AppError `unavailable` when that takes too long.
   */
  make(request: FastifyRequest, call: () => Promise<Buffer>): Promise<Buffer>;
  /**
   * Sends a page when there is room for it until it is read.
   * @throws AppError `unavailable` when that takes too long.
   */
  send(request: FastifyRequest, reply: FastifyReply, page: Buffer): Promise<FastifyReply>;
}

interface UnreadPage {
  readers: number;
  /** Gives its bytes back; it is there once there was room. */
  room: Promise<() => void>;
}

/** Makes the bounds of one gateway. */
export function createPageAnswers({ metrics }: { metrics: Metrics }): PageAnswers {
  const turns = createFairPermits(
    {
      inAll: madeAtOnce,
      perAddress: madeAtOnce,
      perTeam: madeAtOnceOfTeam,
      perKey: madeAtOnceOfKey,
      areForWork: true,
      maxWaiting: 1_024,
      maxWaitingPerTeam: 256,
      waitMs,
    },
    'Too many lists are asked for at once; ask again.',
  );
  const room = createFairPermits(
    { ...unreadBytes, areForWork: false, maxWaiting: 64, maxWaitingPerTeam: 16, waitMs },
    'Too many lists are waiting to be read; read them, and ask again.',
  );
  const unread = new Map<Buffer, UnreadPage>();
  metrics.gauge(
    'http_unread_page_bytes',
    'Bytes of large pages that their readers have not taken yet.',
    room.held,
  );

  function leave(page: Buffer, entry: UnreadPage): void {
    entry.readers -= 1;
    if (entry.readers > 0) return;
    unread.delete(page);
    entry.room.then(
      (giveBack) => giveBack(),
      () => undefined,
    );
  }

  /** Holds room for a page, once for all of its readers, until each has called what this resolves to. */
  async function hold(request: FastifyRequest, page: Buffer): Promise<() => void> {
    if (page.length <= largePageBytes) return () => undefined;
    const entry = unread.getOrInsertComputed(page, () => ({
      readers: 0,
      room: room.take(holderOf(request), page.length),
    }));
    entry.readers += 1;
    let isHeld = true;
    const leaveIt = () => {
      if (isHeld) leave(page, entry);
      isHeld = false;
    };
    await entry.room.catch((error: unknown) => {
      leaveIt();
      throw error;
    });
    return leaveIt;
  }

  return {
    async make(request, call) {
      const giveBack = await turns.take(holderOf(request), 1);
      try {
        const page = await call();
        // By the next turn of the event loop all who share the page hold room themselves.
        setImmediate(await hold(request, page));
        return page;
      } finally {
        giveBack();
      }
    },
    async send(request, reply, page) {
      const leaveIt = await hold(request, page);
      reply.raw.once('close', leaveIt);
      // Its reader may have gone while it was made.
      if (reply.raw.destroyed) leaveIt();
      return reply.type('application/json; charset=utf-8').send(page);
    },
  };
}

function holderOf({ caller, ip }: FastifyRequest): PermitHolder {
  return { teamId: caller.teamId, keyId: caller.keyId, address: ip };
}
