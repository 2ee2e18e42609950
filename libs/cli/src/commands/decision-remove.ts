import type { Command } from 'commander';
import type { CommandHost } from '../command-host.ts';
import type { DecisionAccess } from '../decision-access.ts';

/** Adds `decision remove`. Prints `{ decision_id, removed: true }`. */
export function addDecisionRemove(
  group: Command,
  { context, finish }: CommandHost,
  access: DecisionAccess,
): void {
  group
    .command('remove')
    .description('remove a decision for good, with its versions; hide keeps it')
    .argument('<decision_id>', 'id of the decision')
    .action(async (decisionId: string, _: object, command: Command) => {
      const { signal } = context;
      await access(command, context, (decisions) => decisions.remove(decisionId, { signal }));
      finish({
        json: { decision_id: decisionId, removed: true },
        text: `Decision ${decisionId} is removed.`,
      });
    });
}
