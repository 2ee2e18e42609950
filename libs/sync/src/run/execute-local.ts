import { dirname, join, posix } from 'node:path';
import { checksumOf } from '../format/checksum.ts';
import { obeyedName } from '../format/obeyed-name.ts';
import { conflictCopyName } from '../format/row-names.ts';
import { mergeFiles } from '../plan/merge-lines.ts';
import { inStepWith } from '../plan/plan-row.ts';
import type { BaseRecord, InStep, RemoteVersion } from '../plan/plan-types.ts';
import { makeFolders, writeAtomically } from '../state/file-system.ts';
import { examine } from './examine.ts';
import { takeItem } from './fetch-remote.ts';
import { type ActionOf, createRecorder, type Run } from './run.ts';
import { maxFileBytes } from './scan.ts';
import { forEachAtOnce } from './waiting.ts';

/** Files written at once: enough to hide the time that a disk needs to flush. */
const filesAtOnce = 8;

type LocalAction = ActionOf<'record' | 'move' | 'remove' | 'respell' | 'write' | 'merge' | 'conflict'>;

/** A file is not as it was planned, or not one that may be written. It is left alone. */
class LeftAlone extends Error {
  readonly code: string;

  constructor(code: string, reason: string) {
    super(reason);
    this.code = code;
  }
}

/**
 * Carries out what concerns this folder. Every file is looked at again right before it is replaced or removed, and every
 * step is recorded after its effect. Accepted risk: an edit within the microseconds between that look and the rename.
 */
export async function carryOutHere(run: Run, actions: readonly LocalAction[]): Promise<void> {
  const recorder = createRecorder(run.workspace, (rowKey) => pathOf(run, rowKey));
  try {
    // In the order of the plan; only files that are written one after the other are written at once.
    for (const phase of phasesOf(actions)) {
      const atOnce = phase[0]?.kind === 'write' ? filesAtOnce : 1;
      await forEachAtOnce(phase, atOnce, (action) => carryOut(run, action, recorder));
      await recorder.flush();
    }
  } finally {
    await recorder.flush();
  }
}

/** Cuts a list of actions where their kind changes. */
function phasesOf(actions: readonly LocalAction[]): LocalAction[][] {
  const phases: LocalAction[][] = [];
  for (const action of actions) {
    const last = phases.at(-1);
    if (last?.[0]?.kind === action.kind) last.push(action);
    else phases.push([action]);
  }
  return phases;
}

type Recorder = ReturnType<typeof createRecorder>;

async function carryOut(run: Run, action: LocalAction, recorder: Recorder): Promise<void> {
  run.signal.throwIfAborted();
  try {
    await perform(run, action, recorder);
  } catch (cause) {
    const fault = faultOf(cause);
    if (fault === undefined) throw cause;
    run.summary.skipped.push({ row_key: action.rowKey, ...fault });
  }
}

/** Failures of one file, which do not stop the others; a full disk does. */
const failuresOfOneFile = new Set(
  'EACCES EBUSY EEXIST EINVAL EISDIR ELOOP ENAMETOOLONG ENOENT ENOTDIR ENOTEMPTY EPERM ETXTBSY CHANGED'.split(
    ' ',
  ),
);

function faultOf(cause: unknown): { code: string; reason: string } | undefined {
  if (cause instanceof LeftAlone) return { code: cause.code, reason: cause.message };
  const { code = '' } = cause as NodeJS.ErrnoException;
  if (!failuresOfOneFile.has(code)) return undefined;
  if (['EEXIST', 'EISDIR', 'ENOTDIR'].includes(code)) {
    return { code: 'blocked', reason: 'cannot be written, because a file and a folder would have one name' };
  }
  return { code: 'not_writable', reason: `cannot be written or removed (${code})` };
}

async function perform(run: Run, action: LocalAction, recorder: Recorder): Promise<void> {
  switch (action.kind) {
    case 'record':
      await recordState(run, action, recorder);
      return;
    case 'move':
      await moveHere(run, action, recorder);
      return;
    case 'remove':
      await removeHere(run, action, recorder);
      return;
    case 'respell':
      await respellHere(run, action, recorder);
      return;
    case 'write':
      await writeHere(run, action, recorder);
      return;
    case 'merge':
      await mergeHere(run, action, recorder);
      return;
    case 'conflict':
      await layBeside(run, action, recorder);
  }
}

async function recordState(run: Run, action: ActionOf<'record'>, recorder: Recorder): Promise<void> {
  const { rowKey, record, clearCopy } = action;
  const version = run.workspace.state.base.get(rowKey)?.conflict?.version;
  await recorder.add([['base', rowKey, record ?? null]]);
  if (clearCopy === undefined || version === undefined) return;
  await recorder.flush();
  await removeCopy(run, clearCopy, version.fileChecksum);
}

/** A copy that somebody edited stays. */
export async function removeCopy(
  { workspace: { files }, tree }: Pick<Run, 'workspace' | 'tree'>,
  copy: string,
  fileChecksum: string,
): Promise<void> {
  const path = join(tree.root, copy);
  if ((await files.stat(path))?.kind !== 'file') return;
  const bytes = await files.read(path, maxFileBytes);
  if (bytes !== undefined && checksumOf(bytes) === fileChecksum) await files.remove(path);
}

async function moveHere(run: Run, action: ActionOf<'move'>, recorder: Recorder): Promise<void> {
  const { files } = run.workspace;
  const target = await placeFor(run, action.rowKey);
  const source = pathOf(run, action.from);
  await verify(run, action.from, action.fileChecksum);
  await verify(run, action.rowKey, null);
  await files.rename(source, target);
  await recorder.add([
    ['base', action.from, { inStep: 'gone' }],
    ['base', action.rowKey, { inStep: inStepWith(action.version, undefined) }],
  ]);
  await recorder.flush();
  await removeEmptyFolders(run, source);
  run.summary.renamed.push({ from: action.from, to: action.rowKey });
  run.lookAgain = true;
  run.done({ kind: 'move', row_key: action.rowKey, from: action.from });
}

async function removeHere(run: Run, action: ActionOf<'remove'>, recorder: Recorder): Promise<void> {
  const path = pathOf(run, action.rowKey);
  await verify(run, action.rowKey, action.expected);
  await run.workspace.files.remove(path);
  await removeEmptyFolders(run, path);
  await recorder.add([['base', action.rowKey, { inStep: 'gone' }]]);
  run.summary.removed_here.push(action.rowKey);
  run.done({ kind: 'remove', row_key: action.rowKey });
}

async function respellHere(run: Run, action: ActionOf<'respell'>, recorder: Recorder): Promise<void> {
  const { from, rowKey, expected, version } = action;
  const target = await placeFor(run, rowKey);
  await verify(run, from, expected);
  await run.workspace.files.rename(pathOf(run, from), target);
  await recorder.add([['base', from, { inStep: 'gone' }]]);
  const bytes = await bytesOf(run, rowKey, version);
  if (expected !== version.fileChecksum) {
    await writeAtomically(run.workspace.files, target, bytes, { flush: true });
  }
  await recorder.add([['base', rowKey, { inStep: inStepWith(version, undefined) }]]);
  run.summary.renamed.push({ from, to: rowKey });
  run.done({ kind: 'move', row_key: rowKey, from });
}

async function writeHere(run: Run, action: ActionOf<'write'>, recorder: Recorder): Promise<void> {
  const { rowKey, version, expected } = action;
  const bytes = await bytesOf(run, rowKey, version);
  await replace(run, rowKey, bytes, expected);
  const { checksum, fileChecksum, tier } = version;
  const inStep: InStep = { checksum, fileChecksum, tier, ...(action.narrowed && { narrowed: true }) };
  await recorder.add([['base', rowKey, { inStep }]]);
  run.summary.written.push(rowKey);
  if (obeyedName(rowKey, tier) !== undefined) run.summary.instructions.push(rowKey);
  run.done({ kind: 'write', row_key: rowKey });
}

async function mergeHere(run: Run, action: ActionOf<'merge'>, recorder: Recorder): Promise<void> {
  const { rowKey, base, fileChecksum, version } = action;
  const { files, objects, state } = run.workspace;
  const theirs = await bytesOf(run, rowKey, version);
  const before = await objects.get(base.fileChecksum);
  const mine = await files.read(pathOf(run, rowKey), maxFileBytes);
  if (mine === undefined || checksumOf(mine) !== fileChecksum) throw changedMeanwhile();
  const merged = before === undefined ? undefined : mergeFiles(before, mine, theirs);
  if (merged === undefined || examine(rowKey, merged, { stamp: '' }).fault !== undefined) {
    const inStep = state.base.get(rowKey)?.inStep;
    await layBeside(
      run,
      { kind: 'conflict', rowKey, conflict: { kind: 'edited', version }, inStep },
      recorder,
    );
    return;
  }
  const record: BaseRecord = { inStep: inStepWith(version, base) };
  const mergedChecksum = await objects.put(merged);
  // Recorded before the file is written: a merge must not be merged once more with what it was made of.
  const merging = { fileChecksum: mergedChecksum, version: inStepWith(version, base) };
  await state.commit([['base', rowKey, { inStep: base, merging }]]);
  await replace(run, rowKey, merged, fileChecksum);
  await recorder.add([['base', rowKey, record]]);
  run.summary.merged.push(rowKey);
  run.lookAgain ||= mergedChecksum !== version.fileChecksum;
  run.done({ kind: 'merge', row_key: rowKey });
}

async function layBeside(run: Run, action: ActionOf<'conflict'>, recorder: Recorder): Promise<void> {
  const { rowKey, conflict, inStep } = action;
  const { version } = conflict;
  const former = run.workspace.state.base.get(rowKey)?.conflict;
  const copy = version === undefined ? undefined : await writeCopy(run, rowKey, version);
  await recorder.add([['base', rowKey, { inStep, conflict: { ...conflict, copy } }]]);
  if (former?.copy !== undefined && former.copy !== copy && former.version !== undefined) {
    await recorder.flush();
    await removeCopy(run, former.copy, former.version.fileChecksum);
  }
  run.summary.conflicts.push({ row_key: rowKey, kind: conflict.kind, copy, by: version?.updatedBy });
  run.done({ kind: 'conflict', row_key: rowKey });
}

/** The name tells who wrote it and when, so a copy that is there already is this one, or was edited since. */
async function writeCopy(run: Run, rowKey: string, version: RemoteVersion): Promise<string> {
  const copy = conflictCopyName(rowKey, version);
  const bytes = await bytesOf(run, rowKey, version);
  const path = await placeFor(run, copy);
  if ((await run.workspace.files.stat(path)) === undefined) {
    await writeAtomically(run.workspace.files, path, bytes, { flush: true });
  }
  return copy;
}

/** Returns the file of a version, from the object store or else from the service. */
async function bytesOf(run: Run, rowKey: string, version: RemoteVersion): Promise<Buffer> {
  const { objects } = run.workspace;
  const known = await objects.get(version.fileChecksum);
  if (known !== undefined) return known;
  const item = await run.client.getItem(rowKey, { signal: run.signal });
  const { fileChecksum } = await takeItem(item, objects);
  const bytes = fileChecksum === version.fileChecksum ? await objects.get(fileChecksum) : undefined;
  if (bytes !== undefined) return bytes;
  run.lookAgain = true;
  throw new LeftAlone('changed_there', 'was changed by others meanwhile; the next run takes it');
}

async function replace(run: Run, rowKey: string, bytes: Uint8Array, expected: string | null): Promise<void> {
  const path = await placeFor(run, rowKey);
  const mode = (await run.workspace.files.stat(path))?.mode;
  const check = () => verify(run, rowKey, expected);
  await writeAtomically(run.workspace.files, path, bytes, { mode, flush: true, check });
}

/** Throws LeftAlone unless the file still has the bytes that were planned with, or, for null, is still missing. */
async function verify(run: Run, rowKey: string, expected: string | null): Promise<void> {
  const { files } = run.workspace;
  const path = pathOf(run, rowKey);
  const stat = await files.stat(path);
  if (stat === undefined && expected === null) return;
  if (stat?.kind === 'link')
    throw new LeftAlone('symlink', 'is a symbolic link, which is not written through');
  if (stat?.kind === 'folder')
    throw new LeftAlone('blocked', 'cannot be a file, because a folder has its name');
  if (stat?.kind !== 'file' || expected === null) throw changedMeanwhile();
  const bytes = await files.read(path, maxFileBytes);
  if (bytes === undefined ? !expected.startsWith('too large') : checksumOf(bytes) !== expected) {
    throw changedMeanwhile();
  }
}

function changedMeanwhile(): LeftAlone {
  return new LeftAlone('changing', 'changed while this ran; the next run takes it');
}

/** Returns where a file is or belongs, with the spelling that the disk has. */
export function pathOf({ tree }: Pick<Run, 'tree'>, rowKey: string): string {
  const known = tree.paths.get(rowKey);
  if (known !== undefined) return join(tree.root, known);
  const folder = posix.dirname(rowKey);
  const spelled = tree.folders.get(folder) ?? folder;
  return join(tree.root, spelled === '.' ? '' : spelled, posix.basename(rowKey));
}

/** Makes the folders of a file. Throws LeftAlone if one of them is a link or a file: nothing is written through those. */
async function placeFor(run: Run, rowKey: string): Promise<string> {
  const { files } = run.workspace;
  const path = pathOf(run, rowKey);
  const missing: string[] = [];
  for (let folder = dirname(path); folder !== run.tree.root; folder = dirname(folder)) {
    const stat = await files.stat(folder);
    if (stat === undefined) missing.push(folder);
    else if (stat.kind === 'link')
      throw new LeftAlone('symlink', 'lies behind a symbolic link, which is not followed');
    else if (stat.kind !== 'folder')
      throw new LeftAlone('blocked', 'lies in a folder whose name a file has here');
  }
  const [deepest] = missing;
  if (deepest !== undefined) await makeFolders(files, deepest);
  return path;
}

async function removeEmptyFolders(run: Run, path: string): Promise<void> {
  const { files } = run.workspace;
  for (let folder = dirname(path); folder !== run.tree.root; folder = dirname(folder)) {
    try {
      if ((await files.list(folder)).length > 0) return;
      await files.removeFolder(folder);
    } catch (cause) {
      if (faultOf(cause) === undefined) throw cause;
      return;
    }
  }
}
