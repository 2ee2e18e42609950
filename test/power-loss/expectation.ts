import { mark } from './call-log.ts';

/** A thing that is stored, `item a.md`, and what it is: a checksum, a title, `revoked`; `none` where it is not there. */
export type State = readonly [subject: string, state: string];

/** What an answer says of what is stored, beyond what was asked for. */
export interface Told {
  /** Things whose ids the service chose. */
  made?: readonly State[];
  /** Actions that the audit logs must tell of. */
  audited?: readonly string[];
  /** Millionths of a dollar. */
  spent?: number;
  /** Words that no file of the items may have any more. */
  erased?: readonly string[];
  /** The page of a client that follows the feed: its rows, and where it goes on. */
  page?: { cursor: string; rows: readonly (readonly [rowKey: string, checksum: string | null])[] };
}

type Mark =
  | { kind: 'begin'; id: number; changes: readonly State[]; makes: readonly string[] }
  | { kind: 'end'; id: number; told: Told };

/** What a request asks for. */
export interface Intent {
  changes?: readonly State[];
  /** Kinds of things whose ids the service chooses, one for each. */
  makes?: readonly string[];
}

/** Marks a log around requests: before one is sent, and once its answer is there. */
export interface Journal {
  act<Result>(
    intent: Intent,
    request: () => Promise<Result>,
    told?: (result: Result) => Told,
  ): Promise<Result>;
}

/** Opens a journal of requests in a log of calls. */
export function openJournal(log: string): Journal {
  let requests = 0;
  return {
    async act({ changes = [], makes = [] }, request, told = () => ({})) {
      requests += 1;
      const id = requests;
      mark(log, { kind: 'begin', id, changes, makes } satisfies Mark);
      const result = await request();
      mark(log, { kind: 'end', id, told: told(result) } satisfies Mark);
      return result;
    },
  };
}

/** What was found on an image. */
export interface Found {
  states: ReadonlyMap<string, string>;
  /** Acts that are done, by their action. */
  audited: ReadonlyMap<string, number>;
  spent: number;
}

/** What a client of the feed knows. */
export interface Follower {
  cursor: string;
  rows: Map<string, string>;
}

/** What must be stored, what may be, and that nothing else is, after the marks so far. */
export interface Expectation {
  apply(value: unknown): void;
  /** Returns, as sentences, what is not as it must be. */
  faultsOf(found: Found): string[];
  follower: Follower;
  erased: ReadonlySet<string>;
  /** Whether the state of this thing is certain, and which it is; undefined while a request changes it. */
  certain(subject: string): string | undefined;
  subjects(): Iterable<string>;
}

/** All that a thing was told to be, oldest first, and the newest of these that an answer has confirmed. */
interface Versions {
  states: string[];
  acknowledged: number;
}

/** Begins with nothing stored. Each thing is changed by one request at a time, so its states have an order. */
export function createExpectation(): Expectation {
  const things = new Map<string, Versions>();
  const underWay = new Map<number, Extract<Mark, { kind: 'begin' }>>();
  const audited = new Map<string, number>();
  const erased = new Set<string>();
  const follower: Follower = { cursor: '', rows: new Map() };
  let spent = 0;
  const thing = (subject: string) =>
    things.getOrInsertComputed(subject, () => ({ states: ['none'], acknowledged: 0 }));

  function confirm([subject, state]: State): void {
    const versions = thing(subject);
    const version = versions.states.lastIndexOf(state);
    if (version === -1) throw new Error(`${subject} was answered as ${state}, which it was never told to be`);
    versions.acknowledged = Math.max(versions.acknowledged, version);
  }

  function end(told: Told): void {
    for (const [subject, state] of told.made ?? []) {
      thing(subject).states.push(state);
      confirm([subject, state]);
    }
    for (const action of told.audited ?? []) audited.set(action, (audited.get(action) ?? 0) + 1);
    for (const word of told.erased ?? []) erased.add(word);
    spent += told.spent ?? 0;
    for (const [rowKey, checksum] of told.page?.rows ?? []) {
      if (checksum === null) follower.rows.delete(rowKey);
      else follower.rows.set(rowKey, checksum);
      // What was shown to somebody is as good as acknowledged.
      if (checksum !== null) confirm([`item ${rowKey}`, checksum]);
    }
    follower.cursor = told.page?.cursor ?? follower.cursor;
  }

  function faultsOf(found: Found): string[] {
    const faults: string[] = [];
    for (const [subject, { states, acknowledged }] of things) {
      const state = found.states.get(subject) ?? 'none';
      const possible = states.slice(acknowledged);
      if (!possible.includes(state))
        faults.push(`${subject} is ${state}, but must be ${possible.join(' or ')}`);
    }
    const beingMade = [...underWay.values()].flatMap(({ makes }) => makes);
    for (const subject of found.states.keys()) {
      if (things.has(subject)) continue;
      const place = beingMade.indexOf(subject.split(' ', 1)[0] ?? '');
      if (place === -1) faults.push(`${subject} is there, but nothing that was taken made it`);
      else beingMade.splice(place, 1);
    }
    for (const [action, count] of audited) {
      const there = found.audited.get(action) ?? 0;
      if (there < count) faults.push(`of ${count} acts ${action} the audit logs have ${there}`);
    }
    if (found.spent < spent) faults.push(`${spent} were spent, but ${found.spent} are counted`);
    return faults;
  }

  return {
    apply(value) {
      const one = value as Mark;
      if (one.kind === 'begin') {
        underWay.set(one.id, one);
        for (const [subject, state] of one.changes) thing(subject).states.push(state);
        return;
      }
      for (const change of underWay.get(one.id)?.changes ?? []) confirm(change);
      underWay.delete(one.id);
      end(one.told);
    },
    faultsOf,
    follower,
    erased,
    certain(subject) {
      const { states, acknowledged } = thing(subject);
      return acknowledged === states.length - 1 ? states[acknowledged] : undefined;
    },
    subjects: () => things.keys(),
  };
}
