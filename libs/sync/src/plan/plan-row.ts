import type {
  BaseRecord,
  ConflictRecord,
  InStep,
  LocalFile,
  Plan,
  RemoteRecord,
  RemoteVersion,
  World,
} from './plan-types.ts';

type PresentFile = Extract<LocalFile, { kind: 'file' }>;

/** The world, with what concerns more than one row looked up. */
export interface PlannedWorld extends World {
  /** What was in step under names that are gone on both sides, by checksum. */
  formerVersions: ReadonlyMap<string, InStep>;
}

/** One row_key as the three trees have it. */
interface Row {
  rowKey: string;
  base: BaseRecord;
  local: LocalFile | undefined;
  remote: RemoteRecord | undefined;
}

/** The version that a row is in step with once this one is; what others made internal stays marked. */
export function inStepWith(version: RemoteVersion, before: BaseRecord['inStep']): InStep {
  const { checksum, fileChecksum, tier } = version;
  const wasNarrowed =
    tier === 'team' &&
    before !== undefined &&
    before !== 'gone' &&
    (before.tier === 'external' || before.narrowed);
  return wasNarrowed ? { checksum, fileChecksum, tier, narrowed: true } : { checksum, fileChecksum, tier };
}

/** Whether a file has the bytes of a version. */
function isFileOf(file: PresentFile, version: RemoteVersion): boolean {
  return file.fileChecksum === version.checksum || file.fileChecksum === version.fileChecksum;
}

/** Decides about one row_key, and adds what is to be done and told to the plan. */
export function planRow(world: PlannedWorld, rowKey: string, plan: Plan): void {
  const row: Row = {
    rowKey,
    base: world.base.get(rowKey) ?? {},
    local: world.local.get(rowKey),
    remote: world.remote.get(rowKey),
  };
  if (row.base.merging !== undefined) finishMerge(row, plan);
  if (row.base.conflict !== undefined && staysInConflict(world, row, row.base.conflict, plan)) return;
  if (row.local?.kind === 'unknown') {
    plan.skipped.push({ row_key: rowKey, code: row.local.code, reason: row.local.reason });
    return;
  }
  const { inStep } = row.base;
  if (inStep === undefined || inStep === 'gone') planNewRow(world, row, row.local, inStep, plan);
  else planKnownRow(world, row, row.local, inStep, plan);
}

/** A merge was interrupted after its file was written, or before: the bytes tell. */
function finishMerge(row: Row, plan: Plan): void {
  const { merging, ...base } = row.base;
  const isWritten = row.local?.kind === 'file' && row.local.fileChecksum === merging?.fileChecksum;
  row.base = isWritten ? { ...base, inStep: merging?.version } : base;
  plan.actions.push({ kind: 'record', rowKey: row.rowKey, record: row.base });
}

/** Looks at an open conflict again. Returns false, with the conflict taken out of the row, if it is over. */
function staysInConflict(world: PlannedWorld, row: Row, conflict: ConflictRecord, plan: Plan): boolean {
  const { rowKey, remote, local } = row;
  const { conflict: _, ...base } = row.base;
  const end = (record: BaseRecord) => {
    row.base = record;
    plan.actions.push({ kind: 'record', rowKey, record, clearCopy: conflict.copy });
    return false;
  };
  if (conflict.kind === 'edited') {
    // Others removed the other version: what is here is an edit of something removed, and is kept.
    if (remote === 'gone') return end({ ...base, inStep: 'gone' });
    if (remote !== undefined && local?.kind === 'file' && isFileOf(local, remote)) return end(base);
    if (remote !== undefined && remote.checksum !== conflict.version?.checksum) return end(base);
  } else {
    if (remote !== undefined && remote !== 'gone') return end(base);
    if (local === undefined) return end(remote === 'gone' ? { ...base, inStep: 'gone' } : {});
  }
  if (conflict.copy !== undefined && !world.copies.has(conflict.copy)) {
    plan.actions.push({ kind: 'conflict', rowKey, conflict, inStep: base.inStep });
  } else {
    plan.conflicts.push({
      row_key: rowKey,
      kind: conflict.kind,
      copy: conflict.copy,
      by: conflict.version?.updatedBy,
    });
  }
  return true;
}

/** A row of which nothing was in step, or only that there is none. */
function planNewRow(
  world: PlannedWorld,
  row: Row,
  local: PresentFile | undefined,
  inStep: 'gone' | undefined,
  plan: Plan,
): void {
  const { rowKey, remote } = row;
  if (local === undefined) {
    if (remote === 'gone' && inStep === undefined) record(plan, rowKey, { inStep: 'gone' });
    if (remote !== undefined && remote !== 'gone') write(world, rowKey, remote, null, undefined, plan);
    return;
  }
  if (remote === undefined || (remote === 'gone' && inStep === 'gone')) {
    pushNew(rowKey, local, plan);
    return;
  }
  if (remote !== 'gone' && isFileOf(local, remote)) {
    plan.adopted += 1;
    record(plan, rowKey, { inStep: { ...inStepWith(remote, undefined), fileChecksum: local.fileChecksum } });
    return;
  }
  if (local.isPrivate && remote === 'gone') {
    plan.private.push(rowKey);
    return;
  }
  // A rename that others made and that was followed here before it could be recorded.
  const former = remote === 'gone' ? undefined : world.formerVersions.get(remote.checksum);
  if (former !== undefined) {
    planKnownRow(world, row, local, former, plan);
    return;
  }
  const verdict = inStep === 'gone' ? 'unrelated' : world.history.get(rowKey);
  if (verdict === undefined) {
    plan.needsHistory.push(rowKey);
  } else if (remote === 'gone') {
    if (verdict === 'old') remove(rowKey, local, plan);
    else if (verdict === 'unrelated') pushNew(rowKey, local, plan);
    else conflictWith(row, { kind: 'removed' }, plan);
  } else if (verdict === 'old') {
    write(world, rowKey, remote, local.fileChecksum, undefined, plan);
  } else {
    const refusal = world.refusal(rowKey, remote);
    if (refusal !== undefined) skip(rowKey, refusal, plan);
    else conflictWith(row, { kind: 'edited', version: remote }, plan);
  }
}

function planKnownRow(
  world: PlannedWorld,
  row: Row,
  local: PresentFile | undefined,
  inStep: InStep,
  plan: Plan,
): void {
  if (row.base.withdrawn) withdraw(row, inStep, plan);
  else if (row.remote === undefined) planLost(row, local, plan);
  else if (row.remote === 'gone') planRemovedThere(row, local, inStep, plan);
  else if (local === undefined) planRemovedHere(world, row, inStep, row.remote, plan);
  else planBoth(world, row, local, inStep, row.remote, plan);
}

/** `tms rm` of what stays here: only the team's copy goes, and only if nobody changed it since. */
function withdraw(row: Row, inStep: InStep, plan: Plan): void {
  const { rowKey, remote } = row;
  if (remote === undefined || remote === 'gone') {
    record(plan, rowKey, { inStep: 'gone' });
    return;
  }
  if (remote.checksum === inStep.checksum) {
    plan.actions.push({ kind: 'remove_there', rowKey, baseChecksum: inStep.checksum });
    return;
  }
  plan.kept.push({
    row_key: rowKey,
    reason: 'was changed by others since, so the team’s copy was not removed',
  });
  const { withdrawn: _, ...base } = row.base;
  record(plan, rowKey, base);
}

/** The service neither has the item nor says that it was removed, as after the restore of a backup. */
function planLost(row: Row, local: PresentFile | undefined, plan: Plan): void {
  if (local === undefined) record(plan, row.rowKey, undefined);
  else conflictWith(row, { kind: 'lost' }, plan);
}

function planRemovedThere(row: Row, local: PresentFile | undefined, inStep: InStep, plan: Plan): void {
  const { rowKey } = row;
  if (local === undefined) record(plan, rowKey, { inStep: 'gone' });
  else if (local.fileChecksum === inStep.fileChecksum) remove(rowKey, local, plan);
  else if (local.isPrivate) {
    plan.private.push(rowKey);
    record(plan, rowKey, { inStep: 'gone' });
  } else if (local.fault !== undefined) skip(rowKey, local.fault, plan);
  else {
    plan.kept.push({ row_key: rowKey, reason: 'was removed by others and edited here: the edit is kept' });
    push(rowKey, local, null, inStep, { revives: true }, plan);
  }
}

function planRemovedHere(
  world: PlannedWorld,
  row: Row,
  inStep: InStep,
  remote: RemoteVersion,
  plan: Plan,
): void {
  if (remote.checksum === inStep.checksum) {
    if (remote.tier !== inStep.tier) tellTier(row, inStep, remote, plan);
    plan.actions.push({ kind: 'remove_there', rowKey: row.rowKey, baseChecksum: inStep.checksum });
    return;
  }
  plan.kept.push({ row_key: row.rowKey, reason: 'was removed here and edited by others: the edit is kept' });
  write(world, row.rowKey, remote, null, inStep, plan);
}

function planBoth(
  world: PlannedWorld,
  row: Row,
  local: PresentFile,
  before: InStep,
  remote: RemoteVersion,
  plan: Plan,
): void {
  const { rowKey } = row;
  const isEdited = local.fileChecksum !== before.fileChecksum;
  if (remote.tier !== before.tier) {
    plan.tierChanges.push({ row_key: rowKey, from: before.tier, to: remote.tier });
  }
  if (remote.checksum === before.checksum) {
    const inStep = { ...inStepWith(remote, before), fileChecksum: before.fileChecksum };
    if (remote.tier !== before.tier) record(plan, rowKey, { inStep });
    planUnchangedThere(world, rowKey, local, inStep, isEdited, remote.tier !== before.tier, plan);
    return;
  }
  if (!isEdited) write(world, rowKey, remote, local.fileChecksum, before, plan);
  else if (isFileOf(local, remote)) {
    record(plan, rowKey, { inStep: { ...inStepWith(remote, before), fileChecksum: local.fileChecksum } });
  } else if (local.isPrivate) plan.turnedPrivate.push(rowKey);
  else merge(world, rowKey, local, before, remote, plan);
}

function planUnchangedThere(
  world: PlannedWorld,
  rowKey: string,
  local: PresentFile,
  inStep: InStep,
  isEdited: boolean,
  tierIsNews: boolean,
  plan: Plan,
): void {
  const asked = tierIsNews ? undefined : world.askedTier(rowKey);
  if (!isEdited && (asked === undefined || asked === inStep.tier)) plan.unchanged += 1;
  else if (local.isPrivate) plan.turnedPrivate.push(rowKey);
  else if (local.fault !== undefined) skip(rowKey, local.fault, plan);
  else push(rowKey, local, inStep.checksum, inStep, { tierIsNews }, plan);
}

function tellTier(row: Row, before: InStep, remote: RemoteVersion, plan: Plan): void {
  plan.tierChanges.push({ row_key: row.rowKey, from: before.tier, to: remote.tier });
}

function record(plan: Plan, rowKey: string, base: BaseRecord | undefined): void {
  plan.actions.push({ kind: 'record', rowKey, record: base });
}

function skip(rowKey: string, { code, reason }: { code: string; reason: string }, plan: Plan): void {
  plan.skipped.push({ row_key: rowKey, code, reason });
}

function pushNew(rowKey: string, local: PresentFile, plan: Plan): void {
  if (local.isPrivate) plan.private.push(rowKey);
  else if (local.fault !== undefined) skip(rowKey, local.fault, plan);
  else push(rowKey, local, null, undefined, {}, plan);
}

function push(
  rowKey: string,
  local: PresentFile,
  baseChecksum: string | null,
  origin: InStep | undefined,
  { revives = false, tierIsNews = false }: { revives?: boolean; tierIsNews?: boolean },
  plan: Plan,
): void {
  plan.actions.push({
    kind: 'push',
    rowKey,
    fileChecksum: local.fileChecksum,
    baseChecksum,
    origin,
    revives,
    tierIsNews,
  });
}

function write(
  world: PlannedWorld,
  rowKey: string,
  version: RemoteVersion,
  expected: string | null,
  before: InStep | undefined,
  plan: Plan,
): void {
  const refusal = world.refusal(rowKey, version);
  if (refusal !== undefined) {
    skip(rowKey, refusal, plan);
    return;
  }
  const { narrowed } = inStepWith(version, before);
  plan.actions.push({ kind: 'write', rowKey, version, expected, narrowed });
}

function merge(
  world: PlannedWorld,
  rowKey: string,
  local: PresentFile,
  base: InStep,
  version: RemoteVersion,
  plan: Plan,
): void {
  const refusal = world.refusal(rowKey, version);
  if (refusal !== undefined) skip(rowKey, refusal, plan);
  else plan.actions.push({ kind: 'merge', rowKey, base, fileChecksum: local.fileChecksum, version });
}

function remove(rowKey: string, local: PresentFile, plan: Plan): void {
  plan.actions.push({ kind: 'remove', rowKey, expected: local.fileChecksum });
}

function conflictWith(row: Row, conflict: ConflictRecord, plan: Plan): void {
  plan.actions.push({ kind: 'conflict', rowKey: row.rowKey, conflict, inStep: row.base.inStep });
}
