import type { RemoteStatus } from '@teammemory/sync/remote-status.ts';
import type { SyncClient } from '@teammemory/sync/service.ts';
import type { Workspace } from '@teammemory/sync/state/workspace.ts';
import { type LocalStatus, localStatus } from '@teammemory/sync/status.ts';
import type { Command } from 'commander';
import type { CliContext, CommandHost, CommandResult } from '../cli-context.ts';
import type { GlobalOptions } from '../global-options.ts';
import { conflictText } from '../sync-report.ts';
import { type Colour, line, lines, type Paint, type TerminalText } from '../terminal.ts';
import { openTarget, rootOf, shownPath, withWorkspace } from '../workspace-command.ts';

interface StatusOptions extends GlobalOptions {
  remote?: boolean;
}

/** Names listed for each kind of change; `--json` has all. */
const maxNames = 100;

/**
 * Adds `tms status`. Prints `{ root, url, team, local, remote }` with the lists of libs/sync; `remote` is null without
 * `--remote`. The exit code is 1 while a conflict is open.
 */
export function addStatus(program: Command, { context, paint, finish }: CommandHost): void {
  program
    .command('status')
    .description('show what changed in a folder since it was last in step')
    .argument('[folder]', 'default: the working directory')
    .option('--remote', 'also ask the service what changed there')
    .action(async (folder: string | undefined, _: object, command: Command) => {
      finish(await status(folder, command.optsWithGlobals<StatusOptions>(), context, paint));
    });
}

async function status(
  folder: string | undefined,
  options: StatusOptions,
  context: CliContext,
  paint: Paint,
): Promise<CommandResult> {
  const root = await rootOf(context, folder);
  const client = options.remote
    ? (await openTarget(options, context, root, { mayCreate: false })).client
    : undefined;
  return withWorkspace(root, { readOnly: true }, async (workspace) => {
    const local = await localStatus(workspace);
    const { signal } = context;
    const remote = client === undefined ? null : await remoteOf(workspace, client, signal);
    const { url, team } = workspace.settings;
    const show = (rowKey: string) => shownPath(root, rowKey, context);
    const parts = [
      [line`${root}: team ${team} at ${url}`],
      ...localParts(local, paint, show),
      ...(remote === null ? [] : remoteParts(remote, paint, show)),
      [paint('dim', closing(local, remote))],
    ];
    return {
      json: { root, url, team, local, remote },
      text: lines(parts.filter((part) => part.length > 0).map(lines)),
      failed: local.conflicts.length > 0,
    };
  });
}

async function remoteOf(
  workspace: Workspace,
  client: SyncClient,
  signal: AbortSignal,
): Promise<RemoteStatus> {
  const { remoteStatus } = await import('@teammemory/sync/remote-status.ts');
  return remoteStatus(workspace, client, { signal });
}

type Show = (rowKey: string) => string;

function localParts(local: LocalStatus, paint: Paint, show: Show): TerminalText[][] {
  const changes = [
    ...list(paint, 'green', 'new', local.added.map(show)),
    ...list(paint, 'yellow', 'changed', local.changed.map(show)),
    ...list(paint, 'red', 'removed', local.removed.map(show)),
    ...list(
      paint,
      'cyan',
      'renamed',
      local.renamed.map(({ from, to }) => `${show(from)} -> ${show(to)}`),
    ),
  ];
  const conflicts = local.conflicts.map((conflict) => paint('red', conflictText(conflict, show)));
  return [
    titled('Changed here (tms push or tms sync sends it):', changes),
    titled('Conflicts:', conflicts),
    titled('Private, kept here:', list(paint, 'dim', 'private', local.private.map(show))),
    titled(
      'Private now, but the team still has it (tms rm --keep --erase removes it there, with every version):',
      list(paint, 'yellow', 'private', local.turned_private.map(show)),
    ),
    titled('Left out by ignore files:', list(paint, 'dim', 'ignored', local.ignored.map(show))),
    titled('Left as they are:', skippedLines(local.skipped, paint, show)),
  ];
}

function remoteParts(remote: RemoteStatus, paint: Paint, show: Show): TerminalText[][] {
  const changes = [
    ...list(paint, 'green', 'new', remote.added.map(show)),
    ...list(paint, 'yellow', 'changed', remote.changed.map(show)),
    ...list(paint, 'red', 'removed', remote.removed.map(show)),
    ...list(
      paint,
      'cyan',
      'tier',
      remote.tier_changes.map(({ row_key, from, to }) => `${show(row_key)}: ${from} -> ${to}`),
    ),
  ];
  return [
    titled('Changed on the service (tms pull or tms sync brings it):', changes),
    titled('Left on the service:', skippedLines(remote.skipped, paint, show)),
  ];
}

function skippedLines(
  skipped: readonly { row_key: string; reason: string }[],
  paint: Paint,
  show: Show,
): TerminalText[] {
  const names = skipped.map(({ row_key, reason }) => `${show(row_key)} ${reason}`);
  return list(paint, 'yellow', 'skipped', names);
}

function titled(title: string, body: readonly TerminalText[]): TerminalText[] {
  return body.length === 0 ? [] : [line`${title}`, ...body.map((each) => line`  ${each}`)];
}

function list(paint: Paint, colour: Colour, label: string, names: readonly string[]): TerminalText[] {
  const shown = names.slice(0, maxNames).map((name) => {
    const text = `${`${label}:`.padEnd(9)} ${name.replaceAll('\n', ' ')}`;
    return paint(colour, text);
  });
  const more = names.length - shown.length;
  return more > 0 ? [...shown, line`and ${more} more (--json lists all)`] : shown;
}

function closing(local: LocalStatus, remote: RemoteStatus | null): string {
  const here = local.added.length + local.changed.length + local.removed.length + local.renamed.length;
  const there = remote === null ? 0 : remote.added.length + remote.changed.length + remote.removed.length;
  if (here > 0 || there > 0 || local.conflicts.length > 0) return `${local.unchanged} unchanged`;
  const asked = remote === null ? ' (tms status --remote also asks the service)' : '';
  return `Nothing changed here, ${local.unchanged} files are in step${asked}`;
}
