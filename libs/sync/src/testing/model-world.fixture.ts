import { conflictCopyName } from '../format/row-names.ts';
import { mergeLines } from '../plan/merge-lines.ts';
import { planSync } from '../plan/plan.ts';
import { inStepWith } from '../plan/plan-row.ts';
import type {
  Action,
  BaseRecord,
  HistoryVerdict,
  LocalFile,
  RemoteRecord,
  RemoteVersion,
} from '../plan/plan-types.ts';

// Folders and a service as plain maps: what the executor does with files and requests, done at once, so that hundreds of
// thousands of worlds can be tried. A text is its own checksum.

interface ServerRow {
  version: RemoteVersion | undefined;
  /** Every version that there was. */
  history: RemoteVersion[];
}

export interface ModelServer {
  rows: Map<string, ServerRow>;
  changes: number;
}

export interface ModelReplica {
  name: string;
  files: Map<string, string>;
  /** Copies of other versions. */
  copies: Map<string, string>;
  base: Map<string, BaseRecord>;
  remote: Map<string, RemoteRecord>;
  /** Row_keys that cannot be read at the moment. */
  unreadable: Set<string>;
}

/** The process of a replica died. */
export class Crash extends Error {}

export function createModelServer(): ModelServer {
  return { rows: new Map(), changes: 0 };
}

export function createModelReplica(name: string): ModelReplica {
  const empty = { files: new Map(), copies: new Map(), base: new Map(), remote: new Map() };
  return { name, ...empty, unreadable: new Set() };
}

/** Stores a version, as any client would that does not look before it writes. */
export function store(server: ModelServer, rowKey: string, text: string, by: string, checksum = text): void {
  server.changes += 1;
  const version: RemoteVersion = {
    checksum,
    fileChecksum: text,
    tier: 'team',
    updatedAt: String(server.changes).padStart(17, '0'),
    updatedBy: by,
  };
  const history = [...(server.rows.get(rowKey)?.history ?? []), version];
  server.rows.set(rowKey, { version, history });
}

function push(server: ModelServer, rowKey: string, text: string, base: string | null, by: string): boolean {
  const current = server.rows.get(rowKey)?.version?.checksum ?? null;
  if (current === text) return true;
  if (current !== base) return false;
  store(server, rowKey, text, by);
  return true;
}

function remove(server: ModelServer, rowKey: string, base: string): boolean {
  const row = server.rows.get(rowKey);
  if (row?.version === undefined) return true;
  if (row.version.checksum !== base) return false;
  server.changes += 1;
  server.rows.set(rowKey, { ...row, version: undefined });
  return true;
}

export interface ModelSyncOptions {
  /** The process dies after this many steps; between an effect and its record is a step. */
  stepsToLive?: number;
  /** What others do between the look and the first push. */
  meanwhile?: () => void;
}

/** Brings a replica in step, as a run does: it looks, plans, acts, and looks again if a merge waits or others were faster. */
export function syncModel(replica: ModelReplica, server: ModelServer, options: ModelSyncOptions = {}): void {
  let steps = options.stepsToLive ?? Number.POSITIVE_INFINITY;
  const step = () => {
    steps -= 1;
    if (steps < 0) throw new Crash();
  };
  let { meanwhile } = options;
  for (let look = 0; look < 6; look++) {
    fetch(replica, server);
    const actions = planOf(replica, server);
    let lookAgain = false;
    for (const action of actions) {
      if (isForServer(action)) {
        meanwhile?.();
        meanwhile = undefined;
      }
      lookAgain = act(replica, server, action, step) || lookAgain;
    }
    if (!lookAgain) return;
  }
}

function fetch(replica: ModelReplica, server: ModelServer): void {
  replica.remote = new Map(
    [...server.rows].map(([rowKey, { version }]): [string, RemoteRecord] => [rowKey, version ?? 'gone']),
  );
}

function planOf(replica: ModelReplica, server: ModelServer): Action[] {
  const local = new Map<string, LocalFile>();
  for (const [rowKey, text] of replica.files) {
    local.set(rowKey, { kind: 'file', fileChecksum: text, isPrivate: false });
  }
  for (const rowKey of replica.unreadable)
    local.set(rowKey, { kind: 'unknown', code: 'unreadable', reason: 'cannot' });
  const history = new Map<string, HistoryVerdict>();
  const world = {
    base: replica.base,
    local,
    remote: replica.remote,
    history,
    movedFrom: new Map(),
    hasUnreadable: [...replica.unreadable].some((rowKey) => !isKnown(replica.base.get(rowKey))),
    copies: new Set(replica.copies.keys()),
    refusal: () => undefined,
    fold: (name: string) => name,
    askedTier: () => undefined,
  };
  const { needsHistory, actions } = planSync(world);
  if (needsHistory.length === 0) return actions;
  for (const rowKey of needsHistory) {
    const text = replica.files.get(rowKey);
    const versions = server.rows.get(rowKey)?.history ?? [];
    const isOld = versions.some(({ checksum, fileChecksum }) => checksum === text || fileChecksum === text);
    history.set(rowKey, isOld ? 'old' : 'unrelated');
  }
  return planSync(world).actions;
}

function isKnown(record: BaseRecord | undefined): boolean {
  return record?.conflict !== undefined || (record?.inStep !== undefined && record.inStep !== 'gone');
}

function isForServer({ kind }: Action): boolean {
  return kind === 'push' || kind === 'rename' || kind === 'remove_there';
}

/** Carries out one action; `step` stands between effect and record. Returns whether the planner should look again. */
function act(replica: ModelReplica, server: ModelServer, action: Action, step: () => void): boolean {
  const { files, base, name } = replica;
  const { rowKey } = action;
  step();
  switch (action.kind) {
    case 'record': {
      const former = base.get(rowKey)?.conflict;
      setOrDelete(base, rowKey, action.record);
      step();
      if (action.clearCopy !== undefined) clearCopy(replica, action.clearCopy, former?.version);
      return false;
    }
    case 'move':
      files.set(rowKey, files.get(action.from) ?? '');
      files.delete(action.from);
      step();
      base.set(action.from, { inStep: 'gone' });
      base.set(rowKey, { inStep: inStepWith(action.version, undefined) });
      return true;
    case 'remove':
      files.delete(rowKey);
      step();
      base.set(rowKey, { inStep: 'gone' });
      return false;
    case 'write':
      files.set(rowKey, action.version.fileChecksum);
      step();
      base.set(rowKey, { inStep: inStepWith(action.version, undefined) });
      return false;
    case 'merge':
      return merge(replica, action, step);
    case 'conflict':
      layBeside(replica, action, step);
      return false;
    case 'push':
      if (!push(server, rowKey, action.fileChecksum, action.baseChecksum, name)) return true;
      step();
      base.set(rowKey, { inStep: pushed(action.fileChecksum) });
      return false;
    case 'rename': {
      if (!push(server, rowKey, action.fileChecksum, null, name)) return true;
      step();
      base.set(rowKey, { inStep: pushed(action.fileChecksum) });
      step();
      if (!remove(server, action.from, action.origin.checksum)) return true;
      step();
      base.set(action.from, { inStep: 'gone' });
      return false;
    }
    case 'remove_there':
      if (!remove(server, rowKey, action.baseChecksum)) return true;
      step();
      base.set(rowKey, { inStep: 'gone' });
      return false;
    case 'respell':
      throw new Error('No two names are one file here.');
  }
}

function pushed(text: string) {
  return { checksum: text, fileChecksum: text, tier: 'team' as const };
}

function merge(replica: ModelReplica, action: Extract<Action, { kind: 'merge' }>, step: () => void): boolean {
  const { rowKey, version, fileChecksum } = action;
  const merged = mergeLines(action.base.fileChecksum, fileChecksum, version.fileChecksum);
  if (merged === undefined) {
    const { inStep } = replica.base.get(rowKey) ?? {};
    layBeside(replica, { kind: 'conflict', rowKey, conflict: { kind: 'edited', version }, inStep }, step);
    return false;
  }
  const inStep = inStepWith(version, undefined);
  replica.base.set(rowKey, { inStep: action.base, merging: { fileChecksum: merged, version: inStep } });
  step();
  replica.files.set(rowKey, merged);
  step();
  replica.base.set(rowKey, { inStep });
  return merged !== version.fileChecksum;
}

function layBeside(
  replica: ModelReplica,
  { rowKey, conflict, inStep }: Extract<Action, { kind: 'conflict' }>,
  step: () => void,
): void {
  const { version } = conflict;
  const former = replica.base.get(rowKey)?.conflict;
  const copy = version === undefined ? undefined : conflictCopyName(rowKey, version);
  if (copy !== undefined && version !== undefined && !replica.copies.has(copy)) {
    replica.copies.set(copy, version.fileChecksum);
  }
  step();
  replica.base.set(rowKey, { inStep, conflict: { ...conflict, copy } });
  if (former?.copy !== undefined && former.copy !== copy) clearCopy(replica, former.copy, former.version);
}

function clearCopy({ copies }: ModelReplica, copy: string, version: RemoteVersion | undefined): void {
  if (copies.get(copy) === version?.fileChecksum) copies.delete(copy);
}

function setOrDelete<Value>(map: Map<string, Value>, key: string, value: Value | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}
