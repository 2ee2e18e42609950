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

/** Tells listeners when the lists of their team changed, as keys of their tier see them. */
export interface ChangeWatch {
  /**
   * Subscribes a listener. The times that it gets first are no older than the call.
   * @throws AppError `unavailable`, `internal`.
   */
  subscribe(listener: ChangeListener): Promise<ChangeSubscription>;
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

/**
 * Looks at the lists of a team and tier that has listeners when content says that the team changed, through whatever
 * process. A look is made on behalf of a listener of that tier: its times, and when they change, depend on nothing that the
 * tier does not see. Idle teams cost nothing, however many listen.
 */
export function createChangeWatch(dependencies: {
  clients: Pick<Clients, 'content' | 'unary'>;
  openTeamChanges: OpenTeamChanges;
  log: Log;
}): ChangeWatch {
  const { clients, openTeamChanges, log } = dependencies;
  const groups = new Map<string, Group>();
  let unfollow: (() => void) | undefined;
  let looks = 0;
  let looking = 0;
  /** Whether the last look failed; an outage is logged once. */
  let isAway = false;

  async function read({ caller, requestId }: ChangeListener): Promise<NewestTimes> {
    const options = await clients.unary('content', { caller, requestId });
    const times = await clients.content.readNewestTimes({}, options);
    return {
      items: instantOf(times.itemsUpdatedAt),
      tasks: instantOf(times.tasksUpdatedAt),
      decisions: instantOf(times.decisionsUpdatedAt),
    };
  }

  async function look(group: Group, listener: ChangeListener): Promise<void> {
    looks += 1;
    const number = looks;
    const times = await read(listener);
    if (number < group.lookOfNewest) return;
    group.lookOfNewest = number;
    if (isSame(times, group.newest)) return;
    group.newest = times;
    for (const { onChange } of group.listeners) onChange();
  }

  /** Looks at a group again; one whose look fails stays stale until content says something again. */
  async function lookAgain(group: Group): Promise<void> {
    const [listener] = group.listeners;
    if (listener === undefined) return;
    [group.isStale, group.isLooking] = [false, true];
    looking += 1;
    try {
      await group.looks.run('look', listener);
      isAway = false;
    } catch (error) {
      group.isStale = true;
      noteOutage(error);
    } finally {
      group.isLooking = false;
      looking -= 1;
    }
  }

  /** Looks at what is stale, as much at once as may be. */
  function lookAtStale(): void {
    for (const group of groups.values()) {
      if (looking >= maxLooks) return;
      if (group.isStale && !group.isLooking) void lookAgain(group).then(() => group.isStale || lookAtStale());
    }
  }

  function onChange(teamIds: readonly string[] | 'all'): void {
    const changed = new Set(teamIds);
    for (const group of groups.values()) {
      if (teamIds === 'all' || changed.has(group.teamId)) group.isStale = true;
    }
    lookAtStale();
  }

  function noteOutage(error: unknown): void {
    if (isAway) return;
    isAway = true;
    const { code, cause } = toAppError(error);
    log.error({ code, err: cause ?? error }, 'changes cannot be looked up; streams of changes wait');
  }

  function startGroup(teamId: string): Group {
    unfollow ??= followTeamChanges(openTeamChanges, { onChange, onFailure: noteOutage });
    const group: Group = {
      teamId,
      listeners: new Set(),
      newest: nothing,
      lookOfNewest: 0,
      isStale: false,
      isLooking: false,
      looks: createSingleFlight((_, listener) => look(group, listener), { forBursts: true }),
    };
    return group;
  }

  function end(name: string, group: Group): void {
    if (groups.get(name) === group) groups.delete(name);
    if (groups.size > 0) return;
    unfollow?.();
    unfollow = undefined;
  }

  return {
    async subscribe(listener) {
      const { teamId, tier } = listener.caller;
      const name = `${teamId} ${tier}`;
      const group = groups.getOrInsertComputed(name, () => startGroup(teamId));
      group.listeners.add(listener);
      const stop = () => {
        group.listeners.delete(listener);
        if (group.listeners.size === 0) end(name, group);
      };
      try {
        await group.looks.run('look', listener);
      } catch (error) {
        stop();
        throw error;
      }
      return { newest: () => group.newest, stop };
    },
  };
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
