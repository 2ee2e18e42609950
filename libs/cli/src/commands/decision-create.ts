import type { Command } from 'commander';
import { usageError } from '../cli-error.ts';
import type { CommandHost } from '../command-host.ts';
import type { DecisionAccess } from '../decision-access.ts';
import { addDecisionOptions, type DecisionOptions } from '../decision-options.ts';

/** Adds `decision create`. Prints the decision as `GET /decisions` does, and `hidden`. */
export function addDecisionCreate(
  group: Command,
  { context, finish }: CommandHost,
  access: DecisionAccess,
): void {
  const command = group.command('create').description('create a decision');
  addDecisionOptions(command).action(async (options: DecisionOptions, command: Command) => {
    const { title, body, audience } = options;
    if (title === undefined) throw usageError('--title is missing.');
    if (body === undefined) throw usageError('--body is missing.');
    if (audience === undefined) throw usageError('--audience is missing.');
    const { signal } = context;
    const decision = await access(command, context, (decisions) =>
      decisions.create({ ...options, title, audience }, { signal }),
    );
    finish({ json: decision, text: `Decision ${decision.decision_id} created.` });
  });
}
