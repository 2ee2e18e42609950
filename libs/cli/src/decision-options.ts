import { type Command, Option } from 'commander';

/** What `decision create` and `decision edit` say about a decision. */
export interface DecisionOptions {
  title?: string;
  body?: string;
  status?: 'proposed' | 'accepted' | 'superseded' | 'rejected';
  audience?: 'team' | 'external';
  project?: string;
  decidedOn?: string;
}

/** Declares the options of a decision. */
export function addDecisionOptions(command: Command): Command {
  return command
    .option('--title <title>', '1 to 300 characters')
    .option('--body <markdown>', 'its text; task list entries in it become tasks')
    .addOption(new Option('--audience <tier>', 'who may see it').choices(['team', 'external']))
    .addOption(
      new Option('--status <status>', 'where it stands; a new one is proposed unless told').choices([
        'proposed',
        'accepted',
        'superseded',
        'rejected',
      ]),
    )
    .option('--project <slug>', 'its project; empty for none')
    .option('--decided-on <date>', 'the day it was taken, YYYY-MM-DD; empty for none');
}
