import { resolve } from 'node:path';
import { namingFile } from '@teammemory/sync/state/file-system.ts';
import type { Command } from 'commander';
import type { CommandHost, CommandResult } from '../cli-context.ts';
import { requiredTeam, withAdminClient } from '../clients.ts';
import type { GlobalOptions } from '../global-options.ts';
import type { Manifest } from '../team-folder/format.ts';
import type { ImportReport } from '../team-folder/import-team.ts';
import { printable } from '../terminal.ts';

/** Rows that were refused and are listed: about as many as fit on a screen. `--json` prints all. */
const maxRefusedLines = 20;

/** Adds `tms export`. Prints `{ folder, team, positions, counts, … }`: what `export.json` of the folder says. */
export function addExport(program: Command, { context, finish }: CommandHost): void {
  program
    .command('export')
    .description('write everything of a team (--team) into a new folder, as Markdown and JSON lines')
    .argument('<folder>', 'a folder that does not exist yet, or is empty')
    .action(async (name: string, _: object, command: Command) => {
      const team = requiredTeam(command);
      const folder = resolve(context.cwd, name);
      const { exportTeam } = await import('../team-folder/export-team.ts');
      const tell = createCounter(command, context, 'exported');
      const { signal } = context;
      const manifest = await withAdminClient(context, (admin) =>
        namingFile(folder, () =>
          exportTeam({ admin, team, folder, now: context.now(), signal, onRows: tell.add }),
        ),
      ).finally(tell.end);
      finish({ json: { folder, ...manifest }, text: exportText(folder, manifest) });
    });
}

function exportText(folder: string, { team, counts }: Manifest): string {
  const { items, decisions, tasks, projects, scans, snapshots } = counts;
  const rows = `${items} items, ${decisions} decisions, ${tasks} tasks, ${projects} projects, ${scans} scans, ${snapshots} snapshots`;
  return `Team ${team.slug} was exported to ${printable(folder)}: ${rows}.`;
}

/** Adds `tms import`. Prints `{ team, created_team, added_members, written, refused }`; exit code 1 if rows were refused. */
export function addImport(program: Command, { context, finish }: CommandHost): void {
  program
    .command('import')
    .description('bring a folder that tms export made into a team (--team), which is created if need be')
    .argument('<folder>', 'the exported folder')
    .action(async (name: string, _: object, command: Command) => {
      const team = requiredTeam(command);
      const folder = resolve(context.cwd, name);
      const { importTeam } = await import('../team-folder/import-team.ts');
      const tell = createCounter(command, context, 'imported');
      const { signal } = context;
      const report = await withAdminClient(context, (admin) =>
        importTeam({ admin, team, folder, signal, onStart: tell.total, onRows: tell.add }),
      ).finally(tell.end);
      finish(importResult(team, report));
    });
}

function importResult(team: string, report: ImportReport): CommandResult {
  const { created_team, added_members, written, refused } = report;
  const { items, decisions, projects, scans, snapshots } = written;
  const lines = [
    ...(created_team ? [`Team ${team} created.`] : []),
    ...(added_members.length > 0 ? [`Members added, without keys: ${added_members.join(', ')}.`] : []),
    `Written to ${team}: ${items} items, ${decisions} decisions, ${projects} projects, ${scans} scans, ${snapshots} snapshots. What was there already stayed.`,
    ...(refused.length > 0 ? [`Refused: ${refused.length}`] : []),
    ...refused
      .slice(0, maxRefusedLines)
      .map(({ kind, id, code, detail }) => printable(`  ${kind}  ${id}  ${code}: ${detail}`)),
    ...(refused.length > maxRefusedLines ? ['  … --json prints all'] : []),
  ];
  return { json: { team, ...report }, text: lines.join('\n'), failed: refused.length > 0 };
}

/** Tells on a terminal, on one line, how many rows were done. */
function createCounter(command: Command, { stderr }: CommandHost['context'], verb: string) {
  const { quiet } = command.optsWithGlobals<GlobalOptions>();
  const isShown = stderr.isTTY === true && !quiet;
  let done = 0;
  let of = '';
  return {
    total: (rows: number) => {
      of = ` of ${rows}`;
    },
    add: (rows: number) => {
      done += rows;
      if (isShown) stderr.write(`\r\u001b[K${done}${of} rows ${verb}`);
    },
    end: () => {
      if (isShown) stderr.write('\r\u001b[K');
    },
  };
}
