import { createPermits } from '@teammemory/admission/permits.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Encoding } from '../encoding/compress-answers.ts';
import { holderOf } from '../request.ts';

const mebibyte = 1024 * 1024;

/**
 * Pages that are requested from content, or wait for room to be sent, at once. A page has up to 8 MiB, so a team with
 * many requests waits for its own pages only.
 */
const inProgress = { maxInAll: 24, maxPerTeam: 4, maxPerKey: 2 };
/**
 * Bytes of large pages that are made but not yet received. A page with several readers counts once; a reader that
 * receives nothing holds its page until its connection is closed. An address may be a reverse proxy.
 */
const unreadBytes = {
  maxInAll: 128 * mebibyte,
  maxPerAddress: 96 * mebibyte,
  maxPerTeam: 64 * mebibyte,
  maxPerKey: 32 * mebibyte,
};
/** Smaller pages fit into the send buffer of the operating system. */
const largePageBytes = 64 * 1024;
/** How long a request waits for its turn or for room. */
const maxMs = 10_000;

/** Makes and sends pages within bounds. */
export interface PageAnswers {
  /**
   * Makes a page when it is the team's turn and the memory has room for it.
   * @throws AppError `unavailable` when that takes too long.
   */
  make<Page extends { body: Buffer }>(request: FastifyRequest, call: () => Promise<Page>): Promise<Page>;
  /**
   * Sends a page once the memory has room for it until it is received.
   * @throws AppError `unavailable` when that takes too long.
   */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    page: { body: Buffer; encoding: Encoding },
  ): Promise<FastifyReply>;
}

interface UnreadPage {
  readers: number;
  /** Resolves, once there is room, to the function that gives it back. */
  room: Promise<() => void>;
}

/** Creates the bounds of one gateway. */
export function createPageAnswers({ metrics }: { metrics: Metrics }): PageAnswers {
  const turns = createPermits(
    { ...inProgress, areForWork: true, waiting: { max: 1_024, maxPerTeam: 256, maxMs } },
    'Too many lists are being requested; try again.',
  );
  const room = createPermits(
    { ...unreadBytes, waiting: { max: 64, maxPerTeam: 16, maxMs } },
    'Too many lists have not been received yet; receive them, then try again.',
  );
  const unread = new Map<Buffer, UnreadPage>();
  metrics.gauge('teammemory_http_unread_page_bytes', room.held);

  function leave(page: Buffer, entry: UnreadPage): void {
    entry.readers -= 1;
    if (entry.readers > 0) return;
    unread.delete(page);
    entry.room.then(
      (giveBack) => giveBack(),
      () => undefined,
    );
  }

  /** Holds room for a page, once for all its readers. Each reader calls the returned function when it is done. */
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
      const giveBack = await turns.take(holderOf(request));
      try {
        const page = await call();
        // By the next turn of the event loop every request that shares the page holds room itself.
        setImmediate(await hold(request, page.body));
        return page;
      } finally {
        giveBack();
      }
    },
    async send(request, reply, { body, encoding }) {
      const leaveIt = await hold(request, body);
      reply.raw.once('close', leaveIt);
      // The reader may have gone while the page was made.
      if (reply.raw.destroyed) leaveIt();
      if (encoding !== 'identity') reply.header('content-encoding', encoding);
      return reply.type('application/json; charset=utf-8').send(body);
    },
  };
}
