import type { Command } from 'commander';
import type { CommandHost } from './cli-context.ts';

/** A command of the first level. Its code is loaded when it is used. */
export interface CommandEntry {
  name: string;
  /** Its line in `tms --help`. */
  summary: string;
  /** Loads what adds the command, with its options and subcommands, to the program. */
  load(): Promise<(program: Command, host: CommandHost) => void>;
}

/** All commands, in the order of `tms --help`. */
export const commandTable: readonly CommandEntry[] = [
  {
    name: 'push',
    summary: 'push the Markdown files that changed',
    load: async () => (await import('./commands/push.ts')).addPush,
  },
  {
    name: 'pull',
    summary: 'write what changed into a folder',
    load: async () => (await import('./commands/pull.ts')).addPull,
  },
  {
    name: 'ask',
    summary: 'ask a question about what the team knows',
    load: async () => (await import('./commands/ask.ts')).addAsk,
  },
  {
    name: 'decision',
    summary: 'write and read decisions',
    load: async () => (await import('./commands/decisions.ts')).addMemberDecisionCommands,
  },
  {
    name: 'admin',
    summary: 'manage teams, members, keys, services and more',
    load: async () => (await import('./commands/admin.ts')).addAdmin,
  },
];
