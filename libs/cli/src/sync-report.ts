import type { DoneAction, OpenConflict, SyncSummary } from '@teammemory/sync/summary.ts';
import { type Colour, line, type Paint, printable, type TerminalText } from './terminal.ts';

/** Lines of one kind that are printed; `--json` has all. */
const maxNames = 100;

/** Shows a row_key as the user would type it. */
type Show = (rowKey: string) => string;

/** Returns what happened to each file, and a line of figures. With `quiet` there is only what the user must know. */
export function summaryLines(summary: SyncSummary, paint: Paint, show: Show): TerminalText[] {
  const renamed = summary.renamed.map(({ from, to }) => `${show(from)} -> ${show(to)}`);
  return [
    ...kind(paint, 'green', 'pushed', summary.pushed.map(show)),
    ...kind(paint, 'green', 'written', summary.written.map(show)),
    ...kind(paint, 'yellow', 'merged', summary.merged.map(show)),
    ...kind(paint, 'cyan', 'renamed', renamed),
    ...kind(paint, 'red', 'removed here', summary.removed_here.map(show)),
    ...kind(paint, 'red', 'removed there', summary.removed_there.map(show)),
    ...kind(paint, 'red', 'erased there', summary.erased.map(show)),
    ...kind(
      paint,
      'cyan',
      'tier changed',
      summary.tier_changes.map(({ row_key, from, to }) => `${show(row_key)}: ${from} -> ${to}`),
    ),
    line`${figures(summary)}`,
    ...(summary.pending.length === 0 ? [] : [line`${pendingText(summary.pending)}`]),
  ];
}

/** Returns what a dry run found, action by action. */
export function planLines(actions: readonly DoneAction[], paint: Paint, show: Show): TerminalText[] {
  const shown = actions.slice(0, maxNames).map(({ kind: done, row_key, from }) => {
    const { colour, text } = planned[done];
    const name = from === undefined ? show(row_key) : `${show(from)} -> ${show(row_key)}`;
    return line`${paint(colour, text.padEnd(14))} ${name.replaceAll('\n', ' ')}`;
  });
  const more = actions.length - shown.length;
  const closing = actions.length === 0 ? 'Nothing to do.' : 'Nothing was changed: this was a dry run.';
  return [...shown, ...(more > 0 ? [line`and ${more} more (--json lists all)`] : []), line`${closing}`];
}

const planned: Record<DoneAction['kind'], { colour: Colour; text: string }> = {
  push: { colour: 'green', text: 'push' },
  rename: { colour: 'cyan', text: 'rename there' },
  remove_there: { colour: 'red', text: 'remove there' },
  write: { colour: 'green', text: 'write here' },
  remove: { colour: 'red', text: 'remove here' },
  merge: { colour: 'yellow', text: 'merge' },
  conflict: { colour: 'red', text: 'conflict' },
  move: { colour: 'cyan', text: 'rename here' },
  adopt: { colour: 'dim', text: 'in step' },
};

function kind(paint: Paint, colour: Colour, label: string, names: readonly string[]): TerminalText[] {
  const shown = names
    .slice(0, maxNames)
    .map((name) => line`${paint(colour, label.padEnd(14))} ${name.replaceAll('\n', ' ')}`);
  const more = names.length - shown.length;
  return more > 0 ? [...shown, line`and ${more} more ${label} (--json lists all)`] : shown;
}

function figures(summary: SyncSummary): string {
  const counts: [number, string][] = [
    [summary.pushed.length, 'pushed'],
    [summary.written.length, 'written'],
    [summary.merged.length, 'merged'],
    [summary.renamed.length, 'renamed'],
    [summary.removed_here.length, 'removed here'],
    [summary.removed_there.length, 'removed there'],
    [summary.erased.length, 'erased there'],
    [summary.conflicts.length, 'in conflict'],
    [summary.rejected.length, 'rejected'],
    [summary.private.length, 'private, kept here'],
    [summary.skipped.length, 'skipped'],
  ];
  const some = counts.filter(([count]) => count > 0).map(([count, text]) => `${count} ${text}`);
  return [...some, `${summary.unchanged + summary.adopted} unchanged`].join(', ');
}

function pendingText(pending: readonly DoneAction[]): string {
  const waits = pending.length === 1 ? '1 change waits' : `${pending.length} changes wait`;
  return `${waits} for the other direction (tms sync does both)`;
}

/** Returns what the user has to know or to do, one line each, for standard error. */
export function complaints(summary: SyncSummary, show: Show): string[] {
  const { instructions, skipped } = summary;
  const guests = skipped.filter(({ code }) => code === 'instructions_from_guest');
  const others = skipped.filter(({ code, told_before }) => !quietCodes.has(code) && !told_before);
  const told = skipped.filter(({ told_before }) => told_before);
  return [
    ...summary.conflicts.map((conflict) => conflictText(conflict, show)),
    ...capped(summary.rejected.map(({ row_key, code, detail }) => `${show(row_key)}: ${detail} (${code})`)),
    ...capped(others.map(({ row_key, code, reason }) => `${show(row_key)} ${reason} (${code})`)),
    ...(told.length === 0
      ? []
      : [`${fileCount(told.length)} cannot be pushed, as told before; tms status lists them`]),
    ...capped(summary.kept.map(({ row_key, reason }) => `${show(row_key)} ${reason}`)),
    ...capped(
      summary.turned_private.map(
        (rowKey) =>
          `${show(rowKey)} is private now, and the team's copy stays as it was until: tms rm --keep --erase ${show(rowKey)} (without --erase its earlier versions stay readable)`,
      ),
    ),
    ...named('agents may take these files for instructions; read them first', instructions, show),
    ...named(
      'not written, because a guest may have written them and agents would take them for instructions (--allow-instructions writes them)',
      guests.map(({ row_key }) => row_key),
      show,
    ),
  ].map((text) => printable(text.replaceAll('\n', ' ')));
}

/** What a rule leaves out as the user wants it, and what is told in another way. */
const quietCodes: ReadonlySet<string> = new Set(['ignored', 'not_markdown', 'instructions_from_guest']);

function fileCount(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}

function capped(texts: readonly string[]): string[] {
  const shown = texts.slice(0, maxNames);
  return texts.length > shown.length
    ? [...shown, `and ${texts.length - shown.length} more (--json lists all)`]
    : shown;
}

function named(message: string, rowKeys: readonly string[], show: Show): string[] {
  if (rowKeys.length === 0) return [];
  const names = rowKeys.slice(0, 20).map(show);
  const more = rowKeys.length - names.length;
  return [`${message}: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`];
}

/** Says what is the matter with a file and which commands end it. */
export function conflictText({ row_key, kind: why, copy, by }: OpenConflict, show: Show): string {
  const file = show(row_key);
  const end = `end it with: tms resolve ${file} --mine, --theirs${why === 'edited' ? ' or --merged' : ''}`;
  const whose = by === undefined || by === '' ? 'the other version' : `the version of ${by}`;
  switch (why) {
    case 'removed':
      return `${file} was edited here and removed from the service; ${end}`;
    case 'lost':
      return `${file} was in step once, and the service does not know it any more; ${end}`;
    default:
      return `${file} was edited on both sides${copy === undefined ? '' : `; ${whose} is in ${show(copy)}`}; ${end}`;
  }
}

/**
 * True if the exit code has to say that not everything is in step. A file that cannot be pushed is only warned of, unless
 * the user named it in `paths`, or everything has to be in step (`strict`).
 */
export function hasFailed(
  { conflicts, rejected, skipped }: SyncSummary,
  { strict, paths = [] }: { strict: boolean; paths?: readonly string[] | undefined },
): boolean {
  const faults = skipped.filter(({ code }) => faultCodes.has(code));
  return (
    conflicts.length > 0 ||
    rejected.length > 0 ||
    faults.some(({ row_key }) => strict || paths.includes(row_key))
  );
}

/**
 * Files here that should be pushed and cannot be. What a rule leaves out is no fault, and neither is an item that cannot be
 * written here: who may push must not be able to make the runs of all others fail.
 */
const faultCodes: ReadonlySet<string> = new Set([
  'too_large',
  'unreadable',
  'not_writable',
  'invalid_front_matter',
  'invalid_encoding',
  'invalid_audience',
  'bad_name',
  'duplicate_name',
]);
