import { AppError } from '@teammemory/errors/app-error.ts';
import type { IndexFigures, IndexHost } from '../domain/index/index-host.ts';
import { createIndexRoom } from './index-room.ts';
import { type Call, IndexThreads, type PoolWatch, type ThreadSettings } from './index-threads.ts';
import type { Method } from './messages.ts';

/** How many searches may wait, and for how long; running searches do not count. */
export interface SearchLimits {
  ofTeam: number;
  inAll: number;
  waitMs: number;
}

/**
 * As many searches of a team wait as it may have answers open by default. Whoever waits for eight seconds is behind more
 * than can be answered in time, and can still be refused before the answer's stream begins.
 */
const searchLimits: SearchLimits = { ofTeam: 1_000, inAll: 4_000, waitMs: 8_000 };

/** Search in threads beside the event loop. */
export interface IndexPool extends IndexHost {
  figures(): IndexFigures;
}

/**
 * Starts the pool. Changes of a team are made one after the other, and so are its searches, which wait for no change. All
 * files together take `maxBytes`; beyond that, the file of the team goes that was not used for longest.
 */
export function startIndexPool(
  settings: ThreadSettings & {
    directory: string;
    watch: PoolWatch;
    /** Whether the directory is removed at the end. */
    isTemporary?: boolean;
    limits?: SearchLimits;
  },
): IndexPool {
  const { watch, limits = searchLimits, isTemporary = false } = settings;
  const room = createIndexRoom({
    ...settings,
    isTemporary,
    dropped: watch.dropped,
    removed: (path) => threads.release(path),
  });
  const threads = new IndexThreads(settings, { room, watch });
  let searchesWaiting = 0;

  async function call(
    method: Method,
    args: [teamId: string, ...unknown[]],
    kind = 'changes',
  ): Promise<never> {
    const [teamId] = args;
    threads.assertOpen(teamId, method);
    const { promise, resolve, reject } = Promise.withResolvers<never>();
    threads.add({ teamId, lane: `${kind} ${teamId}`, method, args, resolve, reject });
    return promise;
  }

  const search: IndexHost['search'] = async (teamId, request, signal) => {
    signal?.throwIfAborted();
    threads.assertOpen(teamId, 'search');
    const lane = `searches ${teamId}`;
    const { promise, resolve, reject } = Promise.withResolvers<never>();
    if (threads.waitingIn(lane) >= limits.ofTeam || searchesWaiting >= limits.inAll) throw tooMuch();
    const end = (error: unknown) => {
      threads.leave(waitingCall);
      begin();
      reject(error);
    };
    const abort = () => end(signal?.reason);
    const timer = setTimeout(() => end(tooMuch()), limits.waitMs);
    signal?.addEventListener('abort', abort, { once: true });
    const begin = () => {
      searchesWaiting -= 1;
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    const waitingCall: Call = {
      teamId,
      lane,
      method: 'search',
      args: [teamId, request],
      resolve,
      reject,
      begin,
    };
    searchesWaiting += 1;
    threads.add(waitingCall);
    return promise;
  };

  return {
    search,
    cut: (...args) => call('cut', args),
    // What nobody asked for is made only while there is plenty of room.
    open: (teamId, { heads, asked }) => call('open', [teamId, { heads, asked: asked || room.isPlenty() }]),
    forget: (...args) => call('forget', args),
    apply: (...args) => call('apply', args),
    vectors: (...args) => call('vectors', args, 'reads'),
    coverage: (...args) => call('coverage', args, 'reads'),
    indexedItems: (...args) => call('indexedItems', args, 'reads'),
    itemsNamed: (...args) => call('itemsNamed', args, 'reads'),
    notesToCheck: (...args) => call('notesToCheck', args, 'reads'),
    takeEmbeddingWork: (...args) => call('takeEmbeddingWork', args),
    addToBacklog: (...args) => call('addToBacklog', args),
    refillBacklog: (...args) => call('refillBacklog', args),
    embed: (...args) => call('embed', args),
    forgetVectors: (...args) => call('forgetVectors', args),
    async close() {
      await threads.close();
      room.close();
    },
    figures: room.figures,
  };
}

function tooMuch(): AppError {
  return new AppError('unavailable', 'Too many questions are waiting; ask again shortly.');
}
