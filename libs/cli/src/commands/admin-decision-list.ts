import type { DecisionRow } from '@teammemory/client/decision-record.ts';
import type { Command } from 'commander';
import type { CommandHost } from '../command-host.ts';
import { printable } from '../printable.ts';
import { requiredTeam } from '../required-team.ts';
import { withAdminClient } from '../with-admin-client.ts';

/** Adds `tms admin decision list`. Prints `{ team, decisions: [...] }`, the longest unchanged first. */
export function addDecisionList(group: Command, { context, finish }: CommandHost): void {
  group
    .command('list')
    .description('list the decisions of the team of --team, hidden ones by their id only')
    .action(async (_: object, command: Command) => {
      const team = requiredTeam(command);
      const { signal } = context;
      const pages = await withAdminClient(context, (admin) =>
        Array.fromAsync(admin.listDecisions(team, { signal })),
      );
      const decisions = pages.flat();
      const text = decisions.map(line).join('\n') || `${team} has no decisions.`;
      finish({ json: { team, decisions }, text });
    });
}

function line(row: DecisionRow): string {
  if (row.deleted) return `${row.decision_id}  hidden  ${row.updated_at}`;
  const { decision_id, status, audience, updated_at, title } = row;
  return printable(`${decision_id}  ${status}  ${audience}  ${updated_at}  ${title}`);
}
