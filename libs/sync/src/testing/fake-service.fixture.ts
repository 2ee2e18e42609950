import type { DeletedItem, Item, ItemError } from '@teammemory/client/item.ts';
import { ProblemError } from '@teammemory/client/problem-error.ts';
import { TransportError } from '@teammemory/client/transport-error.ts';
import { contentSaysPrivate, frontmatterSaysPrivate } from '@teammemory/vocabulary/private-markers.ts';
import { checksumOf } from '../format/checksum.ts';
import { contentFromFile } from '../format/item-file.ts';
import type { PushedItem, SyncClient } from '../service.ts';

type Stored = Item & { frontmatter_text?: string };
interface Revision {
  revision: number;
  item: Stored | undefined;
  updated_at: string;
}

/** The item rules of the public API, in memory (docs/contract.md, "Push items" and "Pull"). */
export interface FakeService {
  /** What the service has now, by row_key. */
  items(): Map<string, Stored>;
  push(item: PushedItem, member: string): Pick<ItemError, 'code' | 'detail' | 'current_checksum'> | undefined;
  remove(rowKey: string, baseChecksum: string | undefined): 'ok' | 'conflict' | 'not_found';
  /** Drops all versions of a row but its newest. */
  forget(rowKey: string): void;
  /** Stores a file as another client would. */
  put(rowKey: string, text: string | Uint8Array, item?: Partial<Stored>): void;
  changeTier(rowKey: string, tier: string): void;
  list(
    cursor: string | undefined,
    limit: number,
  ): { items: (Item | DeletedItem)[]; next_cursor: string; has_more: boolean };
  versions(rowKey: string): readonly Revision[];
  /** Writes so far, no-ops not counted. */
  writes(): number;
  client(options?: FakeClientOptions): SyncClient;
}

export interface FakeClientOptions {
  member?: string;
  tier?: string;
  access?: string;
  itemWritesPerMinute?: number;
  /** Checksums of texts that a reviewer declined; for access `propose`. */
  declined?: ReadonlySet<string>;
  /** Called before each request; may throw. */
  before?(call: string, detail: unknown): void | Promise<void>;
  /** Called after each request took effect; what it throws is a lost answer. */
  after?(call: string): void;
}

/** A lost answer. */
export function lostAnswer(): TransportError {
  return new TransportError('unreachable', 'The answer was lost.');
}

export function createFakeService({ history = 20 } = {}): FakeService {
  const rows = new Map<string, Revision[]>();
  let feed: { rowKey: string; at: number }[] = [];
  let clock = Date.parse('2026-11-21T06:27:00.000Z');
  let writes = 0;

  const newest = (rowKey: string) => rows.get(rowKey)?.at(-1);
  const store = (rowKey: string, item: Omit<Stored, 'updated_at'> | undefined) => {
    clock += 1;
    writes += 1;
    const updated_at = new Date(clock).toISOString();
    const before = rows.get(rowKey) ?? [];
    const revision = (before.at(-1)?.revision ?? 0) + 1;
    const stored = item === undefined ? undefined : ({ ...item, updated_at } as Stored);
    rows.set(rowKey, [...before, { revision, item: stored, updated_at }].slice(-history - 1));
    feed = [...feed.filter((one) => one.rowKey !== rowKey), { rowKey, at: clock }];
  };

  const service: FakeService = {
    items: () => {
      const current = [...rows].flatMap(([rowKey, revisions]) => {
        const item = revisions.at(-1)?.item;
        return item === undefined ? [] : [[rowKey, item] as [string, Stored]];
      });
      return new Map(current);
    },
    push: ({ base_checksum, ...item }, member) => {
      if (frontmatterSaysPrivate(item.frontmatter) || contentSaysPrivate(item.content)) {
        return { code: 'admin_tier', detail: 'It is private.' };
      }
      const stored = newest(item.row_key)?.item;
      if (stored?.checksum === item.checksum && stored.tier === item.tier) return undefined;
      if ((stored?.checksum ?? null) !== base_checksum) {
        return { code: 'conflict', detail: 'Others changed it.', current_checksum: stored?.checksum ?? null };
      }
      store(item.row_key, { title: '', ...item, updated_by: member });
      return undefined;
    },
    remove: (rowKey, baseChecksum) => {
      const revision = newest(rowKey);
      if (revision === undefined) return 'not_found';
      if (revision.item === undefined) return 'ok';
      if (baseChecksum !== undefined && revision.item.checksum !== baseChecksum) return 'conflict';
      store(rowKey, undefined);
      return 'ok';
    },
    forget: (rowKey) => void rows.set(rowKey, (rows.get(rowKey) ?? []).slice(-1)),
    put: (rowKey, text, item = {}) => {
      const bytes = Buffer.from(text);
      const file = contentFromFile(bytes);
      const checksum = checksumOf(bytes);
      store(rowKey, {
        row_key: rowKey,
        title: '',
        tier: 'team',
        updated_by: 'eve',
        checksum,
        ...file,
        ...item,
      });
    },
    changeTier: (rowKey, tier) => {
      const item = newest(rowKey)?.item;
      if (item !== undefined) store(rowKey, { ...item, tier });
    },
    list: (cursor, limit) => {
      const since = cursor === undefined ? 0 : Number(cursor.slice(1));
      const later = feed.filter(({ at }) => at > since);
      const page = later.slice(0, limit);
      const items = page.map(({ rowKey }): Item | DeletedItem => {
        const { item, updated_at } = newest(rowKey) as Revision;
        return item ?? { row_key: rowKey, updated_at, deleted: true };
      });
      return { items, next_cursor: `c${page.at(-1)?.at ?? since}`, has_more: later.length > page.length };
    },
    versions: (rowKey) => (rows.get(rowKey) ?? []).toReversed(),
    writes: () => writes,
    client: (options = {}) => createClient(service, options),
  };
  return service;
}

function notFound(): ProblemError {
  return new ProblemError({ status: 404, code: 'not_found', detail: 'There is no such item.' });
}

function createClient(service: FakeService, options: FakeClientOptions): SyncClient {
  const {
    member = 'ada',
    tier = 'team',
    access = 'write',
    itemWritesPerMinute = 100_000,
    declined = new Set<string>(),
  } = options;
  const call = async <Result>(name: string, detail: unknown, work: () => Result): Promise<Result> => {
    await options.before?.(name, detail);
    const result = work();
    options.after?.(name);
    return result;
  };
  return {
    whoami: () =>
      call('whoami', undefined, () => ({
        member,
        tier,
        access,
        item_writes_per_minute: itemWritesPerMinute,
      })),
    pushItems: (items) =>
      call('pushItems', items, () => {
        if (access === 'propose') {
          const refused = items.flatMap(({ row_key, checksum }, index) =>
            declined.has(checksum)
              ? [{ index, row_key, code: 'declined', detail: 'A reviewer says no.' }]
              : [],
          );
          const proposed = items.length - refused.length;
          return { accepted: proposed, proposed, rejected: refused.length, errors: refused };
        }
        const errors = items.flatMap((item, index) => {
          const error = service.push(structuredClone(item), member);
          return error === undefined ? [] : [{ index, row_key: item.row_key, ...error }];
        });
        return { accepted: items.length - errors.length, rejected: errors.length, errors };
      }),
    listItems: ({ cursor, limit = 50 } = {}) =>
      call('listItems', cursor, () => structuredClone(service.list(cursor, limit))),
    deleteItem: (rowKey, { baseChecksum, erase } = {}) =>
      call('deleteItem', rowKey, () => {
        const outcome = service.remove(rowKey, baseChecksum);
        if (erase && outcome !== 'conflict') service.forget(rowKey);
        if (outcome === 'not_found') throw notFound();
        if (outcome === 'conflict')
          throw new ProblemError({ status: 409, code: 'conflict', detail: 'Changed.' });
      }),
    getItem: (rowKey) =>
      call('getItem', rowKey, () => {
        const item = service.items().get(rowKey);
        if (item === undefined) throw notFound();
        return structuredClone(item);
      }),
    listItemVersions: (rowKey) =>
      call('listItemVersions', rowKey, () => {
        const revisions = service.versions(rowKey);
        if (revisions.length === 0) throw notFound();
        const versions = revisions.map(({ revision, item, updated_at }) =>
          item === undefined
            ? { revision, updated_at, deleted: true }
            : { revision, updated_at, checksum: item.checksum, tier: item.tier, updated_by: item.updated_by },
        );
        return { versions, next_cursor: 'end', has_more: false };
      }),
    getItemVersion: (rowKey, revision) =>
      call('getItemVersion', rowKey, () => {
        const item = service.versions(rowKey).find((one) => one.revision === revision)?.item;
        if (item === undefined) throw notFound();
        return structuredClone(item);
      }),
    events: async function* () {},
  };
}
