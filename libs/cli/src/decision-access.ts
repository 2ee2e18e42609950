import type { DecisionMethods } from '@teammemory/client/decisions.ts';
import type { Command } from 'commander';
import type { CliContext } from './cli-context.ts';

/**
 * Does `work` on the decisions that a command is about, as whoever the command
 * is for; `team` is the slug where the command names one.
 */
export type DecisionAccess = <Result>(
  command: Command,
  context: CliContext,
  work: (decisions: DecisionMethods, team: string | undefined) => Promise<Result>,
) => Promise<Result>;
