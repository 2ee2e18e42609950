import type { Command } from 'commander';
import { usageError } from '../cli-error.ts';
import type { CommandHost } from '../command-host.ts';
import type { DecisionAccess } from '../decision-access.ts';
import { addDecisionOptions, type DecisionOptions } from '../decision-options.ts';

interface DecisionEditOptions extends DecisionOptions {
  hide?: true;
  show?: true;
  base?: string;
}

/** Adds `decision edit`. Prints the decision as `GET /decisions` does, and `hidden`. */
export function addDecisionEdit(
  group: Command,
  { context, finish }: CommandHost,
  access: DecisionAccess,
): void {
  const command = group
    .command('edit')
    .description('change what is given of a decision, and leave the rest')
    .argument('<decision_id>', 'id of the decision');
  addDecisionOptions(command)
    .option('--hide', 'hide it from every reader')
    .option('--show', 'show it again, as every edit of a hidden decision must')
    .option('--base <time>', 'updated_at of the version you edited: refused when another one is stored')
    .action(async (decisionId: string, options: DecisionEditOptions, command: Command) => {
      const { hide, show, base, ...change } = options;
      if (hide && show) throw usageError('--hide and --show exclude each other.');
      const hidden = hide ? true : show ? false : undefined;
      const edit = { ...change, hidden, baseUpdatedAt: baseFrom(base) };
      const { signal } = context;
      const decision = await access(command, context, (decisions) =>
        decisions.edit(decisionId, edit, { signal }),
      );
      finish({ json: decision, text: `Decision ${decision.decision_id} stored.` });
    });
}

function baseFrom(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(/^\d{4}-\d\d-\d\dT/.test(text) ? text : Number.NaN);
  if (Number.isNaN(time.getTime())) throw usageError('--base takes a time such as 2027-01-31T00:00:00.000Z.');
  return time;
}
