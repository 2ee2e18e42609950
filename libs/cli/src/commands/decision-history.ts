import type { DecisionRecord } from '@teammemory/client/decisions.ts';
import type { Command } from 'commander';
import type { CommandHost } from '../command-host.ts';
import type { DecisionAccess } from '../decision-access.ts';
import { printable } from '../printable.ts';

/** Adds `decision history`. Prints `{ decision, versions: [...] }`: as it is, and as it was, newest first. */
export function addDecisionHistory(
  group: Command,
  { context, finish }: CommandHost,
  access: DecisionAccess,
): void {
  group
    .command('history')
    .description('what a decision is, and its kept versions before that, newest first')
    .argument('<decision_id>', 'id of the decision')
    .action(async (decisionId: string, _: object, command: Command) => {
      const { signal } = context;
      const history = await access(command, context, async (decisions) => {
        // In this order an edit in between is listed twice rather than not at all.
        const decision = await decisions.get(decisionId, { signal });
        const pages = await Array.fromAsync(decisions.versions(decisionId, { signal }));
        return { decision, versions: pages.flat() };
      });
      finish({ json: history, text: [history.decision, ...history.versions].map(line).join('\n') });
    });
}

function line({ updated_at, updated_by, hidden, status, audience, title }: DecisionRecord): string {
  return printable(`${updated_at}  ${updated_by}  ${hidden ? 'hidden' : status}  ${audience}  ${title}`);
}
