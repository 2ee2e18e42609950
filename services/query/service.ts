import type { Transport } from '@connectrpc/connect';
import { QueryService as descriptor } from '@teammemory/proto/query/v1/query_pb.ts';
import { type RpcService, rpcService } from '@teammemory/rpc/rpc-service.ts';
import { createMemory } from './domain/memory.ts';
import { askHandler } from './rpc/ask.ts';
import { createContentItemFeed } from './rpc/content-item-feed.ts';
import { searchHandler } from './rpc/search.ts';
import { openQueryStores, type Storage } from './store/open-stores.ts';

const bytesPerMegabyte = 2 ** 20;

export interface QueryServiceOptions {
  /** Where passages and cursors are kept. */
  storage: Storage;
  /** Reaches the content service, whose item feed is followed. */
  contentTransport: Transport;
  /** A token for calls to that service, with the scope feed:read. */
  serviceToken: (audience: 'content') => Promise<string>;
  /** Memory for the indexes of all teams, in MiB (setting INDEX_MEMORY_MB, by default 512). */
  indexMemoryMb: number;
}

export interface QueryService {
  /** The interface with its handlers, to be served or called directly. */
  rpc: RpcService;
  /** Throws where the stores cannot answer. */
  ready(): Promise<void>;
  /** Ends what is under way and closes the stores. To be called once, after the last call. */
  close(): Promise<void>;
}

/** Assembles the query service. Throws what opening its stores throws. */
export async function createQueryService(options: QueryServiceOptions): Promise<QueryService> {
  const { storage, contentTransport: transport, serviceToken, indexMemoryMb } = options;
  const stores = await openQueryStores(storage);
  const memory = createMemory({
    feed: createContentItemFeed({ transport, serviceToken }),
    passages: stores.passages,
    maxIndexBytes: indexMemoryMb * bytesPerMegabyte,
  });

  return {
    rpc: rpcService(descriptor, { ask: askHandler({ memory }), search: searchHandler({ memory }) }),
    ready: stores.ready,
    async close() {
      // The work of a call that was cancelled goes on; the stores must not be closed under it.
      await memory.settled();
      await stores.close();
    },
  };
}
