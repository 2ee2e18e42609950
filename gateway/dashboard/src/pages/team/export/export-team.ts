import type { Page } from '@teammemory/proto/common/v1/page_pb.ts';
import { pause } from '../../../data/pause.ts';
import { feedPageRows, rowsOf } from '../../../data/use-feed.ts';
import { textOf } from '../../../service/item-text.ts';
import type { Item } from '../../../service/items.ts';
import { problemOf } from '../../../service/problem.ts';
import { rpc } from '../../../service/rpc.ts';
import { createArchiveNames } from './archive-names.ts';
import { tarEnd, tarFile } from './tar.ts';

const encoder = new TextEncoder();
/** Where a refusal does not say how long to wait. */
const pauseSeconds = 10;

/**
 * Makes a `.tar.gz` of the newest version of every item that the session sees, each as the file that it was pushed from. The
 * browser packs page after page, and keeps only what is packed. An item that changes meanwhile stands in it twice, and
 * unpacks as its later version.
 * @throws Problem
 */
export async function exportTeam(
  folder: string,
  { signal, onRead }: { signal: AbortSignal; onRead: (items: number) => void },
): Promise<Blob> {
  const { readable, writable } = new CompressionStream('gzip');
  const archive = new Response(readable).blob();
  // Whoever waits for it hears of a failure below.
  archive.catch(() => undefined);
  const writer = writable.getWriter();
  const add = async (name: string, text: string, changedAt: Date) => {
    for (const part of tarFile(`${folder}/${name}`, encoder.encode(text), changedAt)) {
      await writer.write(part as Uint8Array<ArrayBuffer>);
    }
  };
  const names = createArchiveNames();
  try {
    let read = 0;
    for (let [cursor, hasMore] = ['', true]; hasMore; ) {
      const page = await readPage(cursor, signal);
      for (const item of rowsOf<Item>(page)) {
        await add(names.nameOf(item), textOf(item), new Date(item.updated_at));
        read += 1;
      }
      onRead(read);
      cursor = page?.nextCursor ?? '';
      hasMore = page?.hasMore === true;
    }
    if (names.renamed.size > 0) {
      const lines = [...names.renamed].map(([rowKey, name]) => `${name}\t${rowKey}\n`);
      await add('renamed.tsv', lines.join(''), new Date());
    }
    await writer.write(tarEnd() as Uint8Array<ArrayBuffer>);
    await writer.close();
  } catch (thrown) {
    await writer.abort(thrown).catch(() => undefined);
    throw thrown;
  }
  return archive;
}

/** Reads a page, after a pause if the limit of the session is reached. */
async function readPage(cursor: string, signal: AbortSignal): Promise<Page | undefined> {
  for (;;) {
    try {
      return (await rpc.content.listItems({ page: { cursor, limit: feedPageRows } }, { signal })).page;
    } catch (thrown) {
      const problem = problemOf(thrown);
      if (problem.code !== 'rate_limited') throw problem;
      await pause(problem.limit?.retryAfterSeconds || pauseSeconds, signal);
    }
  }
}
