import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt';
import { createPermits, type Permits } from '@teammemory/admission/permits.ts';
import { createSingleFlight, type SingleFlight } from '@teammemory/async/single-flight.ts';
import { toAppError } from '@teammemory/errors/app-error.ts';
import type { Log } from '@teammemory/log/log.ts';
import type { Caller } from '@teammemory/rpc/auth/principal.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import type { Clients } from '../clients.ts';
import type { NewestTimes } from './contract.ts';
import { followTeamChanges, type OpenTeamChanges } from './team-changes.ts';

/** Looks at once. Content finds changes of all teams, and the gateway looks at those that somebody listens to. */
const maxLooks = 16;
/** Streams in all: each has a connection, two timers and some kilobytes. */
const maxStreams = 4_096;
/** Streams of one team, and of one key. A key is one person's, with a few programs on a few machines. */
const [maxStreamsOfTeam, maxStreamsOfKey] = [256, 16];

/** One stream that wants to know of changes. */
export interface ChangeListener {
  caller: Caller;
  requestId: string;
  /** Called after the times changed. */
  onChange(): void;
}

/** What a listener may ask while it listens. */
export interface ChangeSubscription {
  /** Returns the newest known times; each change has an object of its own. */
  newest(): NewestTimes;
  /** Ends the subscription. May be called more than once. */
  stop(): void;
}

/** The listeners of one team and tier. They share each look. */
interface Group {
  teamId: string;
  listeners: Set<ChangeListener>;
  newest: NewestTimes;
  /** Number of the look that `newest` is from. A slow look may end after a later one. */
  lookOfNewest: number;
  /** Whether the team may have changed since the last look began. */
  isStale: boolean;
  isLooking: boolean;
  looks: SingleFlight<void, ChangeListener>;
}

const nothing: NewestTimes = { items: null, tasks: null, decisions: null };

interface ChangeWatchDependencies {
  clients: Pick<Clients, 'content' | 'unary'>;
  openTeamChanges: OpenTeamChanges;
  log: Log;
}

/**
 * Looks at the lists of a team and tier that has listeners when content says that the team changed, through whatever
 * process. A look is made on behalf of a listener of that tier: its times, and when they change, depend on nothing that the
 * tier does not see. Idle teams cost nothing, however many listen.
 */
export class ChangeWatch {
  readonly #dependencies: ChangeWatchDependencies;
  /** By team and tier; only those that have listeners. */
  readonly #groups = new Map<string, Group>();
  /** Ends the stream of changed teams, which is open while there are groups. */
  #unfollow: (() => void) | undefined;
  /** Looks that were ever begun. */
  #looks = 0;
  /** Groups that are looked at now. */
  #looking = 0;
  /** Whether the last look failed; an outage is logged once. */
  #isAway = false;

  constructor(dependencies: ChangeWatchDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Subscribes a listener to changes of the lists of its team, as keys of its tier see them. The times that it gets first
   * are no older than the call.
   * @throws AppError `unavailable`, `internal`.
   */
  async subscribe(listener: ChangeListener): Promise<ChangeSubscription> {
    const { teamId, tier } = listener.caller;
    const name = `${teamId} ${tier}`;
    const group = this.#groups.getOrInsertComputed(name, () => this.#startGroup(teamId));
    group.listeners.add(listener);
    const stop = () => {
      group.listeners.delete(listener);
      if (group.listeners.size === 0) this.#end(name, group);
    };
    try {
      await group.looks.run('look', listener);
    } catch (error) {
      stop();
      throw error;
    }
    return { newest: () => group.newest, stop };
  }

  #startGroup(teamId: string): Group {
    this.#unfollow ??= followTeamChanges(this.#dependencies.openTeamChanges, {
      onChange: (teamIds) => this.#onChange(teamIds),
      onFailure: (error) => this.#noteOutage(error),
    });
    const group: Group = {
      teamId,
      listeners: new Set(),
      newest: nothing,
      lookOfNewest: 0,
      isStale: false,
      isLooking: false,
      looks: createSingleFlight((_, listener) => this.#look(group, listener), { forBursts: true }),
    };
    return group;
  }

  #end(name: string, group: Group): void {
    if (this.#groups.get(name) === group) this.#groups.delete(name);
    if (this.#groups.size > 0) return;
    this.#unfollow?.();
    this.#unfollow = undefined;
  }

  async #read({ caller, requestId }: ChangeListener): Promise<NewestTimes> {
    const { clients } = this.#dependencies;
    const options = await clients.unary('content', { caller, requestId });
    const times = await clients.content.readNewestTimes({}, options);
    return {
      items: instantOf(times.itemsUpdatedAt),
      tasks: instantOf(times.tasksUpdatedAt),
      decisions: instantOf(times.decisionsUpdatedAt),
    };
  }

  async #look(group: Group, listener: ChangeListener): Promise<void> {
    this.#looks += 1;
    const number = this.#looks;
    const times = await this.#read(listener);
    if (number < group.lookOfNewest) return;
    group.lookOfNewest = number;
    if (isSame(times, group.newest)) return;
    group.newest = times;
    for (const { onChange } of group.listeners) onChange();
  }

  /** Looks at a group again; one whose look fails stays stale until content says something again. */
  async #lookAgain(group: Group): Promise<void> {
    const [listener] = group.listeners;
    if (listener === undefined) return;
    [group.isStale, group.isLooking] = [false, true];
    this.#looking += 1;
    try {
      await group.looks.run('look', listener);
      this.#isAway = false;
    } catch (error) {
      group.isStale = true;
      this.#noteOutage(error);
    } finally {
      group.isLooking = false;
      this.#looking -= 1;
    }
  }

  /** Looks at what is stale, as much at once as may be. */
  #lookAtStale(): void {
    for (const group of this.#groups.values()) {
      if (this.#looking >= maxLooks) return;
      if (group.isStale && !group.isLooking)
        void this.#lookAgain(group).then(() => group.isStale || this.#lookAtStale());
    }
  }

  #onChange(teamIds: readonly string[] | 'all'): void {
    const changed = new Set(teamIds);
    for (const group of this.#groups.values()) {
      if (teamIds === 'all' || changed.has(group.teamId)) group.isStale = true;
    }
    this.#lookAtStale();
  }

  #noteOutage(error: unknown): void {
    if (this.#isAway) return;
    this.#isAway = true;
    const { code, cause } = toAppError(error);
    this.#dependencies.log.error(
      { code, err: cause ?? error },
      'changes cannot be looked up; streams of changes wait',
    );
  }
}

/**
 * Bounds and measures the open streams of changes. They never take more than half of the connections, nor one team more
 * than a quarter, so that requests find room beside them. A stream too many is refused at once.
 */
export function boundChangeStreams(maxConnections: number, metrics: Metrics): Permits {
  const permits = createPermits(
    {
      maxInAll: Math.min(maxStreams, Math.floor(maxConnections / 2)),
      maxPerTeam: Math.min(maxStreamsOfTeam, Math.ceil(maxConnections / 4)),
      maxPerKey: maxStreamsOfKey,
    },
    `Too many event streams are open; a key may have ${maxStreamsOfKey}. Close one, or try again later.`,
  );
  metrics.gauge('teammemory_http_change_streams_open', permits.held);
  return permits;
}

function instantOf(time: Timestamp | undefined): string | null {
  return time === undefined ? null : new Date(timestampMs(time)).toISOString();
}

function isSame(one: NewestTimes, other: NewestTimes): boolean {
  return one.items === other.items && one.tasks === other.tasks && one.decisions === other.decisions;
}
