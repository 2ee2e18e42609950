import { untilAborted } from '@teammemory/async/bounded-wait.ts';
import { createSingleFlight } from '@teammemory/async/single-flight.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import {
  type FeedHeads,
  type FeedItem,
  type FeedPositions,
  type ItemFeed,
  isOfSameData,
  isUpTo,
  noPositions,
  type RowFeed,
} from '../passages/feeds.ts';
import { publicKeyOf, type Tier } from '../passages/passage.ts';
import { type PassageStore, type StoredItem, storedItem } from '../passages/passage-store.ts';
import { type IndexHost, IndexHostEnded } from './index-host.ts';
import { catchUp, changesSince } from './team-changes.ts';

/** An index may be dropped between being brought up to date and being searched; the next attempt finds it as a rule. */
const maxAttempts = 3;
/** Teams of which it is remembered that their index is up to date; forgetting them costs a call each. */
const maxKnownPositions = 10_000;

/** Teams whose rows are verified before more are read. */
const teamsPerPage = 100;

/** Whose view of which team. */
export interface Viewer {
  teamId: string;
  tier: Tier;
}

/** Told what becomes of indexes. */
export interface IndexWatch {
  /** A team's index was built from all its rows. */
  built(teamId: string, milliseconds: number): void;
  /** An item or decision could not be cut into passages, and is not found until it changes. */
  refused(teamId: string, rowKey: string): void;
}

/** What team indexes are made over. */
export interface TeamIndexParts {
  feed: ItemFeed & RowFeed;
  passages: PassageStore;
  /** Removes for good what is stored of erased items and decisions beside their passages. */
  erase?: (teamId: string, rowKeys: readonly string[]) => Promise<void>;
  host: IndexHost;
  indexWatch?: IndexWatch;
  /** Runs each catch-up of a team, which returns by how many positions of the feed it went on. */
  watch?: (teamId: string, work: () => Promise<number>) => Promise<number>;
}

/** The indexes of teams, brought up to date with content's feeds before they are used. */
export class TeamIndexes {
  readonly #parts: TeamIndexParts;
  readonly #closing = new AbortController();
  /** Teams that a question waits for. */
  readonly #asked = new Set<string>();
  /** How far indexes have come that were in memory when last heard of. */
  readonly #positions = new Map<string, FeedPositions>();
  /** What external keys could see when the index in memory was brought up to date, by team, as `shownIn` names it. */
  readonly #shown = new Map<string, string>();
  /** By team the identity of the data from which its rows are known to be made. */
  readonly #claimed = new Map<string, string>();
  /** Brings a team up to date. */
  readonly #fresh = createSingleFlight((teamId: string) => this.#bringUpToDate(teamId));
  readonly #headsOf = createSingleFlight((teamId: string) => this.#parts.feed.heads(teamId));

  constructor(parts: TeamIndexParts) {
    this.#parts = parts;
  }

  /**
   * Brings what is stored of a team, and its index, up to date with its feeds. An index that is not in memory is built
   * only if there is room for it. Calls share the work with `use`.
   * @throws AppError `unavailable` when the feed, the store or the index does not answer in time.
   */
  follow(teamId: string): Promise<void> {
    return this.#fresh.run(teamId);
  }

  /**
   * Runs `use` on the team's index, which shows every item, decision, task and project that the viewer may see and whose
   * change was acknowledged before the call. A guest does not wait for what guests cannot see, because the time would
   * tell of it. Where the index was dropped meanwhile, so that `use` returns undefined, it is run again.
   * @throws the signal's reason when it aborts, and as `follow`.
   */
  async use<Result>(
    { teamId, tier }: Viewer,
    signal: AbortSignal,
    use: (host: IndexHost) => Promise<Result | undefined>,
  ): Promise<Result> {
    signal.throwIfAborted();
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      if (tier === 'team' || !(await untilAborted(this.#showsAll(teamId), signal))) {
        // The run begins after this, so it is one for a question.
        this.#asked.add(teamId);
        await untilAborted(this.#fresh.run(teamId), signal);
      }
      // A caller who aborts returns at once; the work goes on to its end.
      const result = await untilAborted(use(this.#parts.host), signal);
      if (result !== undefined) return result;
      this.#forget(teamId);
    }
    throw crowdedOut();
  }

  /**
   * Removes what was made from other data than content's, of all teams. To be called before the first question: rows that
   * are ahead of content's feeds can be told from others only until new changes have taken their positions.
   * @throws as `follow`.
   */
  async verify(): Promise<void> {
    for (let after = ''; ; ) {
      const teams = await this.#parts.passages.teams(after, teamsPerPage);
      for (const teamId of teams) await this.#claimedHeads(teamId);
      if (teams.length < teamsPerPage) return;
      after = teams.at(-1) as string;
    }
  }

  /** Stops what is in progress and waits for its end. To be called once, after the last call. */
  async close(): Promise<void> {
    this.#closing.abort(new AppError('unavailable', 'The service is shutting down.'));
    await this.#fresh.settled();
  }

  async #bringUpToDate(teamId: string): Promise<void> {
    const isAsked = this.#asked.delete(teamId);
    let heads: FeedHeads = noPositions;
    const work = async () => {
      heads = await this.#claimedHeads(teamId);
      // As a rule nothing has moved, and this call was all.
      if (isUpTo(this.#positions.get(teamId) ?? noPositions, heads)) return 0;
      const cut = (items: readonly FeedItem[]) => this.#cutItems(teamId, items);
      const erase = async (rowKeys: readonly string[]) => this.#parts.erase?.(teamId, rowKeys);
      return catchUp(teamId, {
        ...this.#parts,
        cut,
        erase,
        dataId: heads.dataId,
        signal: this.#closing.signal,
      });
    };
    await (this.#parts.watch?.(teamId, work) ?? work());
    this.#closing.signal.throwIfAborted();
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      // An index that nobody asked for may find no room.
      if ((await this.#takeOver(teamId, heads, isAsked)) || !isAsked) {
        if (isUpTo(this.#positions.get(teamId) ?? noPositions, heads))
          this.#shown.set(teamId, shownIn(heads));
        return;
      }
    }
    throw crowdedOut();
  }

  /** Whether nothing that external keys may see has changed since the index was brought up to date. */
  async #showsAll(teamId: string): Promise<boolean> {
    const known = this.#shown.get(teamId);
    if (known === undefined || known === '') return false;
    return known === shownIn(await this.#headsOf.run(teamId));
  }

  #remember(teamId: string, positions: FeedPositions): void {
    if (this.#positions.size >= maxKnownPositions) {
      this.#positions.clear();
      this.#shown.clear();
    }
    this.#positions.set(teamId, positions);
  }

  /** Forgets what is known of an index that was dropped. */
  #forget(teamId: string): void {
    this.#positions.delete(teamId);
    this.#shown.delete(teamId);
  }

  /** Reads the heads of a team's feeds, after which everything that there is of the team was made from their data. */
  async #claimedHeads(teamId: string): Promise<FeedHeads> {
    // Read before the heads, so that in the same data nothing can be ahead of them.
    const known = this.#positions.get(teamId) ?? noPositions;
    const cursor = this.#claimed.has(teamId) ? 0 : await this.#parts.passages.cursor(teamId);
    const heads = await this.#parts.feed.heads(teamId);
    await this.#claim(teamId, { ...known, items: Math.max(known.items, cursor) }, heads);
    return heads;
  }

  /**
   * Makes sure that what there is of a team was made from the data that content has now, and removes it otherwise: after
   * content was restored, or where rows and content come from different places.
   */
  async #claim(teamId: string, known: FeedPositions, heads: FeedPositions): Promise<void> {
    if (heads.dataId === '') return;
    const isBehind = !isUpTo({ ...heads, dataId: known.dataId, projects: known.projects }, known);
    if (!isBehind && isOfSameData(known, heads) && this.#claimed.get(teamId) === heads.dataId) return;
    const ahead = isBehind && isOfSameData(known, heads) ? { ofSeq: heads.items } : undefined;
    const canStay = await this.#parts.passages.claim(teamId, heads.dataId, ahead);
    if (!canStay || !isOfSameData(known, heads)) {
      await this.#parts.host.forget(teamId);
      this.#forget(teamId);
    }
    if (this.#claimed.size >= maxKnownPositions) this.#claimed.clear();
    this.#claimed.set(teamId, heads.dataId);
  }

  /**
   * Cuts items; one under which the host ends is kept without passages, so that it is not tried again until it changes.
   */
  async #cutItems(teamId: string, items: readonly FeedItem[]): Promise<readonly StoredItem[]> {
    try {
      return await this.#parts.host.cut(teamId, items);
    } catch (error) {
      if (!(error instanceof IndexHostEnded && error.teamId === teamId)) throw error;
      const [only, ...others] = items;
      if (only === undefined || others.length > 0)
        return (await Array.fromAsync(items, (item) => this.#cutItems(teamId, [item]))).flat();
      this.#parts.indexWatch?.refused(teamId, publicKeyOf(only.rowKey));
      return [storedItem({ ...only, passages: [], isRefused: true })];
    }
  }

  /** Applies the changes; returns false if the index was dropped meanwhile. */
  async #takeOver(teamId: string, heads: FeedPositions, isAsked: boolean): Promise<boolean> {
    const startedMs = performance.now();
    const known = this.#positions.get(teamId);
    if (known !== undefined && isUpTo(known, heads)) return true;
    const items = await this.#parts.passages.cursor(teamId);
    const opening = { heads: { ...heads, items }, asked: isAsked };
    const start = known ?? (await this.#parts.host.open(teamId, opening))?.positions;
    if (start === undefined) return true;
    // As after a restart: a file that has all rows is not written again. One that is new has no data's identity yet.
    if (start.dataId !== '' && isUpTo(start, heads)) {
      this.#remember(teamId, start);
      return true;
    }
    const cut = (texts: readonly FeedItem[]) => this.#cutItems(teamId, texts);
    const erase = async (rowKeys: readonly string[]) => this.#parts.erase?.(teamId, rowKeys);
    for await (const changes of changesSince(teamId, start, { ...this.#parts, cut, erase, heads })) {
      this.#closing.signal.throwIfAborted();
      if (!(await this.#parts.host.apply(teamId, changes))) {
        this.#forget(teamId);
        return false;
      }
      if (changes.positions !== undefined) this.#remember(teamId, changes.positions);
    }
    if (start.items === 0) this.#parts.indexWatch?.built(teamId, performance.now() - startedMs);
    return true;
  }
}

/** Names what external keys can see in some data; '' where that is not known. */
function shownIn({ dataId, externalVersion = '' }: FeedHeads): string {
  return externalVersion === '' ? '' : `${dataId} ${externalVersion}`;
}

function crowdedOut(): AppError {
  return new AppError(
    'unavailable',
    'There is no memory for the index of this team at the moment; ask again.',
  );
}
