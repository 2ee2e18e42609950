import type { Command } from 'commander';
import { usageError } from '../cli-error.ts';
import type { CommandHost } from '../command-host.ts';
import { addDecisionOptions, type DecisionOptions } from '../decision-options.ts';
import { requiredTeam } from '../required-team.ts';
import { withAdminClient } from '../with-admin-client.ts';

/** Adds `tms admin decision create`. Prints the decision as `GET /decisions` does, and `hidden`. */
export function addDecisionCreate(group: Command, { context, finish }: CommandHost): void {
  const command = group.command('create').description('create a decision of the team of --team');
  addDecisionOptions(command).action(async (options: DecisionOptions, command: Command) => {
    const team = requiredTeam(command);
    const { title, body, audience, status } = options;
    if (title === undefined) throw usageError('--title is missing.');
    if (body === undefined) throw usageError('--body is missing.');
    if (audience === undefined) throw usageError('--audience is missing.');
    if (status === undefined) throw usageError('--status is missing.');
    const { signal } = context;
    const decision = await withAdminClient(context, (admin) =>
      admin.createDecision({ ...options, team, title, audience }, { signal }),
    );
    finish({ json: decision, text: `Decision ${decision.decision_id} created.` });
  });
}
