import type { DecisionRow } from '@teammemory/client/derived-lists.ts';
import type { Command } from 'commander';
import type { CommandHost } from '../command-host.ts';
import type { DecisionAccess } from '../decision-access.ts';
import { printable } from '../printable.ts';

/**
 * Adds `decision list`. Prints `{ team, decisions: [...] }`, the longest unchanged
 * first; `team` only where the command names it.
 */
export function addDecisionList(
  group: Command,
  { context, finish }: CommandHost,
  access: DecisionAccess,
): void {
  group
    .command('list')
    .description('list decisions, hidden ones by their id only')
    .action(async (_: object, command: Command) => {
      const { signal } = context;
      const listed = await access(command, context, async (decisions, team) => {
        const pages = await Array.fromAsync(decisions.list({ signal }));
        return { team, decisions: pages.flat() };
      });
      const text = listed.decisions.map(line).join('\n') || 'There are no decisions.';
      finish({ json: listed, text });
    });
}

function line(row: DecisionRow): string {
  if (row.deleted) return `${row.decision_id}  hidden  ${row.updated_at}`;
  const { decision_id, status, audience, updated_at, title } = row;
  return printable(`${decision_id}  ${status}  ${audience}  ${updated_at}  ${title}`);
}
