import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { NewItem } from '@teammemory/client/item.ts';
import { ProblemError } from '@teammemory/client/problem-error.ts';
import type { TeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import type { EvaluationDocument } from './collection.ts';

/** As many as the default limit admits within a minute, so that any service can be filled. */
const itemsPerPush = 60;
/** Far below the 8 MiB of a body, whatever JSON escapes. */
const bytesPerPush = 2 * 2 ** 20;
/** Below the 1 MiB of an item by more than its title takes. */
const bytesPerItem = 1_000_000;

/** Documents as items, and the way back. */
export interface PushedDocuments {
  items: readonly NewItem[];
  /** The id of the document that an item was made of; undefined for items of somebody else. */
  idOf(rowKey: string): string | undefined;
}

/**
 * Makes items of documents. Ids may have any characters, so items are named by
 * number. A text too long for one item becomes several, a text without words
 * that of its title.
 */
export function itemsOf(documents: readonly EvaluationDocument[]): PushedDocuments {
  const ids = new Map<string, string>();
  const items = documents.flatMap(({ id, title, text }, index) => {
    const wellFormed = (text.trim() === '' ? title : text).toWellFormed();
    return piecesOf(wellFormed).map((content, piece): NewItem => {
      const row_key = `evaluation/${index}-${piece}.md`;
      ids.set(row_key, id);
      const frontmatter = title === '' ? {} : { title: title.toWellFormed() };
      const checksum = `sha256:${createHash('sha256').update(content).digest('hex')}`;
      return { row_key, content, frontmatter, tier: 'team', checksum };
    });
  });
  return { items, idOf: (rowKey) => ids.get(rowKey) };
}

/**
 * Pushes items batch by batch, waiting where a limit says so.
 * @throws Error for an item that is refused.
 */
export async function pushItems(
  api: TeamMemoryClient,
  items: readonly NewItem[],
  progress: (pushed: number) => void,
): Promise<void> {
  let pushed = 0;
  for (const batch of batchesOf(items)) {
    const { errors } = await whenAdmitted(() => api.pushItems(batch));
    if (errors[0]) throw new Error(`${errors[0].row_key} was refused: ${errors[0].detail}`);
    pushed += batch.length;
    progress(pushed);
  }
}

/** Cuts a text into pieces of at most 1,000,000 bytes, after a line where one ends in the second half. */
function piecesOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length || pieces.length === 0; ) {
    let end = Math.min(bytes.length, start + bytesPerItem);
    if (end < bytes.length) {
      const newline = bytes.lastIndexOf(10, end - 1);
      if (newline > start + bytesPerItem / 2) end = newline + 1;
      // A character of several bytes is not cut: those after its first begin with the bits 10.
      while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
    }
    pieces.push(bytes.toString('utf8', start, end));
    start = end;
  }
  return pieces;
}

function* batchesOf(items: readonly NewItem[]): Generator<NewItem[]> {
  let batch: NewItem[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = Buffer.byteLength(item.content);
    if (batch.length === itemsPerPush || (batch.length > 0 && bytes + size > bytesPerPush)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(item);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

async function whenAdmitted<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== 'rate_limited') throw error;
      await setTimeout((error.retryAfterSeconds ?? 1) * 1000);
    }
  }
}
