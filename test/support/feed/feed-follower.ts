import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, apiWhenAvailable } from '../http/api.ts';
import type { RunningService, Team } from '../service/running-service.ts';

/** One row as a follower received it. */
export interface SeenRow {
  row_key: string;
  updated_at: string;
  checksum?: string;
  tier?: string;
  deleted?: true;
}

/** How a follower reads, and with whose key. */
export interface FollowerOptions {
  service: Pick<RunningService, 'url'>;
  team: Pick<Team, 'slug'>;
  key: string;
  /** Goes on from `next_cursor`, or from the newest `updated_at` it has seen. */
  by: 'cursor' | 'since';
  includeDeleted: boolean;
  limit: number;
  /** Between two polls: followers share the machine with what they follow. */
  pauseMs: number;
}

/**
 * Follows a team's items until `finished` was true before a poll that found
 * nothing more: by then it has seen all that was acknowledged.
 */
export async function followItems(options: FollowerOptions, finished: () => boolean): Promise<SeenRow[]> {
  const seen: SeenRow[] = [];
  let place: string | undefined;
  for (;;) {
    const last = finished();
    const { body, status } = await readPage(options, place);
    if (status !== 200) throw new Error(`a follower got ${status}: ${JSON.stringify(body)}`);
    seen.push(...body.items);
    place = options.by === 'cursor' ? body.next_cursor : (seen.at(-1)?.updated_at ?? place);
    if (last && body.items.length === 0) return seen;
    await delay(options.pauseMs);
  }
}

/** The newest row of each row_key, removed ones included. */
export function newestRows(seen: readonly SeenRow[]): Map<string, SeenRow> {
  return new Map(seen.map((row) => [row.row_key, row]));
}

function readPage(options: FollowerOptions, place: string | undefined): Promise<Answer> {
  const parameters = new URLSearchParams({
    limit: String(options.limit),
    include_deleted: String(options.includeDeleted),
    ...(place === undefined ? {} : { [options.by]: place }),
  });
  return apiWhenAvailable(options.service, options.team, options.key, `/api/v1/items?${parameters}`);
}
