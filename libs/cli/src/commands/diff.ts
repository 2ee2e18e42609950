import type { Workspace } from '@teammemory/sync/state/workspace.ts';
import { type LocalStatus, localDifference, localStatus } from '@teammemory/sync/status.ts';
import type { Command } from 'commander';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { CliContext, CommandHost, CommandResult } from '../cli-context.ts';
import { lines, type Paint, paintPatch, type TerminalText } from '../terminal.ts';
import { requireKnown, rootOf, rowKeyAt, shownPath, withWorkspace } from '../workspace-command.ts';

/** The time for the lines of one file. Two large texts with nothing in common would take minutes. */
const diffTimeoutMs = 5_000;
const noFile = '/dev/null';

interface FileDifference {
  row_key: string;
  from?: string;
  /** Unified diff; null if the texts differ too much to compare them in time. */
  patch: string | null;
}

/** Adds `tms diff`. Prints `{ differences: [{ row_key, from, patch }] }`; for an open conflict against the other version. */
export function addDiff(program: Command, { context, paint, finish }: CommandHost): void {
  program
    .command('diff')
    .description('show line by line what changed here since it was last in step')
    .argument('[paths...]', 'files and folders; default: the whole folder that is in step')
    .action(async (paths: string[]) => {
      finish(await diff(paths, context, paint));
    });
}

async function diff(paths: readonly string[], context: CliContext, paint: Paint): Promise<CommandResult> {
  const root = await rootOf(context, paths[0]);
  return withWorkspace(root, { readOnly: true }, async (workspace) => {
    const changes = changesOf(await localStatus(workspace));
    const wanted = await Promise.all(paths.map((path) => rowKeyAt(workspace, path, context)));
    for (const [index, rowKey] of wanted.entries()) await requireKnown(workspace, rowKey, paths[index] ?? '');
    const chosen = changes.filter(({ rowKey, from }) =>
      wanted.length === 0
        ? true
        : wanted.some((each) => isBelow(rowKey, each) || isBelow(from ?? rowKey, each)),
    );
    const differences: FileDifference[] = [];
    for (const change of chosen) {
      context.signal.throwIfAborted();
      differences.push(await differenceOf(workspace, change, context));
    }
    const texts = differences.flatMap((each) => coloured(each, paint));
    return { json: { differences }, text: texts.length === 0 ? undefined : lines(texts) };
  });
}

interface Change {
  rowKey: string;
  from?: string;
  other: string;
}

function changesOf(local: LocalStatus): Change[] {
  const inStep = 'in step';
  const names = [...local.added, ...local.changed, ...local.removed].map((rowKey) => ({
    rowKey,
    other: inStep,
  }));
  const renamed = local.renamed.map(({ from, to }) => ({ rowKey: to, from, other: inStep }));
  const conflicts = local.conflicts.map(({ row_key, by }) => ({
    rowKey: row_key,
    other: by === undefined ? 'the other version' : `the version of ${by}`,
  }));
  const open = new Set(conflicts.map(({ rowKey }) => rowKey));
  return [...names.filter(({ rowKey }) => !open.has(rowKey)), ...renamed, ...conflicts].sort((one, other) =>
    one.rowKey < other.rowKey ? -1 : 1,
  );
}

function isBelow(rowKey: string, path: string): boolean {
  return path === '' || rowKey === path || rowKey.startsWith(`${path}/`);
}

async function differenceOf(
  workspace: Workspace,
  { rowKey, from, other }: Change,
  context: CliContext,
): Promise<FileDifference> {
  const { local, base: own } = await localDifference(workspace, rowKey);
  const base = from === undefined ? own : (await localDifference(workspace, from)).base;
  const name = (key: string, text: string | undefined) =>
    text === undefined ? noFile : shownPath(workspace.root, key, context);
  const patch = createTwoFilesPatch(
    name(from ?? rowKey, base),
    name(rowKey, local),
    base ?? '',
    local ?? '',
    other,
    'here',
    { context: 3, timeout: diffTimeoutMs, headerOptions: FILE_HEADERS_ONLY },
  );
  return { row_key: rowKey, from, patch: patch ?? null };
}

function coloured({ row_key, patch }: FileDifference, paint: Paint): TerminalText[] {
  if (patch === null)
    return [paint('yellow', `${row_key}: the texts differ too much to compare line by line`)];
  return paintPatch(patch, paint);
}
