import type { Command } from 'commander';
import type { CommandHost } from '../command-host.ts';
import type { DecisionAccess } from '../decision-access.ts';

const commands = [
  { name: 'hide', description: 'hide a decision from every reader', hidden: true },
  { name: 'show', description: 'show a hidden decision again', hidden: false },
] as const;

/** Adds `decision hide` and `decision show`. They print the decision as `GET /decisions` does, and `hidden`. */
export function addDecisionVisibility(
  group: Command,
  { context, finish }: CommandHost,
  access: DecisionAccess,
): void {
  for (const { name, description, hidden } of commands) {
    group
      .command(name)
      .description(description)
      .argument('<decision_id>', 'id of the decision')
      .action(async (decisionId: string, _: object, command: Command) => {
        const { signal } = context;
        const decision = await access(command, context, (decisions) =>
          decisions.edit(decisionId, { hidden }, { signal }),
        );
        const text = `Decision ${decision.decision_id} is ${hidden ? 'hidden' : 'shown'}.`;
        finish({ json: decision, text });
      });
  }
}
