import type { Command } from 'commander';
import type { CommandHost } from './cli-context.ts';

/** A command of the first level. Its code is loaded when it is used. */
export interface CommandEntry {
  name: string;
  /** Another name for it. */
  alias?: string;
  /** True if `--version` is an option of its own, which takes the number of a version. */
  takesVersion?: true;
  /** Its line in `tms --help`. */
  summary: string;
  /** Loads what adds the command, with its options and subcommands, to the program. */
  load(): Promise<(program: Command, host: CommandHost) => void>;
}

/** All commands, in the order of `tms --help`. */
export const commandTable: readonly CommandEntry[] = [
  {
    name: 'init',
    summary: 'make a folder that stays in step with a team',
    load: async () => (await import('./commands/init.ts')).addInit,
  },
  {
    name: 'login',
    summary: 'store the key of a team; --key - reads it from standard input',
    load: async () => (await import('./commands/login.ts')).addLogin,
  },
  {
    name: 'logout',
    summary: 'forget the stored key of a team; the key itself stays valid',
    load: async () => (await import('./commands/login.ts')).addLogout,
  },
  {
    name: 'use',
    summary: 'switch to another service or team whose key is stored; without a name, list them',
    load: async () => (await import('./commands/use.ts')).addUse,
  },
  {
    name: 'whoami',
    summary: 'show who you are for the service, and what your key allows',
    load: async () => (await import('./commands/login.ts')).addWhoami,
  },
  {
    name: 'status',
    summary: 'show what changed in a folder since it was last in step',
    load: async () => (await import('./commands/status.ts')).addStatus,
  },
  {
    name: 'diff',
    summary: 'show line by line what changed here since it was last in step',
    load: async () => (await import('./commands/diff.ts')).addDiff,
  },
  {
    name: 'log',
    summary: 'list the versions of a file: number, time, who, tier and with which program and key',
    load: async () => (await import('./commands/history.ts')).addLog,
  },
  {
    name: 'show',
    takesVersion: true,
    summary: "print a file as the team has it; into a file or pipe, exactly the team's bytes",
    load: async () => (await import('./commands/history.ts')).addShow,
  },
  {
    name: 'restore',
    takesVersion: true,
    summary: 'make an earlier version of a file the newest one (--version), or restore a backup',
    load: async () => (await import('./commands/history.ts')).addRestore,
  },
  {
    name: 'sync',
    summary: 'bring a folder and the team in step, in both directions',
    load: async () => (await import('./commands/sync.ts')).addSync,
  },
  {
    name: 'push',
    summary: 'send what changed here to the team',
    load: async () => (await import('./commands/sync.ts')).addPush,
  },
  {
    name: 'pull',
    summary: 'write here what changed for the team',
    load: async () => (await import('./commands/sync.ts')).addPull,
  },
  {
    name: 'rm',
    summary: 'remove files here; the next push or sync removes them from the team',
    load: async () => (await import('./commands/files.ts')).addRemove,
  },
  {
    name: 'mv',
    summary: 'rename a file or folder, so that the team sees a rename',
    load: async () => (await import('./commands/files.ts')).addMove,
  },
  {
    name: 'resolve',
    summary: 'end the conflict of a file',
    load: async () => (await import('./commands/files.ts')).addResolve,
  },
  {
    name: 'ls',
    summary: 'list the items of the team: row_key, tier, time of the last change, and by whom',
    load: async () => (await import('./commands/lists.ts')).addList,
  },
  {
    name: 'stale',
    summary: 'list notes that should be checked: review_by or stale_after in their front matter has passed',
    load: async () => (await import('./commands/stale.ts')).addStale,
  },
  {
    name: 'review',
    summary: 'accept or decline what agents proposed',
    load: async () => (await import('./commands/review.ts')).addReview,
  },
  {
    name: 'open',
    summary: 'open the dashboard in the browser, signed in with your key',
    load: async () => (await import('./commands/open.ts')).addOpen,
  },
  {
    name: 'ask',
    summary: 'ask a question about what the team knows',
    load: async () => (await import('./commands/ask.ts')).addAsk,
  },
  {
    name: 'search',
    summary: 'find the passages that fit a question, without writing an answer',
    load: async () => (await import('./commands/search.ts')).addSearch,
  },
  {
    name: 'tasks',
    summary: 'list the tasks of the team, the soonest due first',
    load: async () => (await import('./commands/lists.ts')).addTasks,
  },
  {
    name: 'decisions',
    alias: 'decision',
    summary: 'read and write decisions',
    load: async () => (await import('./commands/decisions.ts')).addMemberDecisionCommands,
  },
  {
    name: 'projects',
    summary: 'list the projects of the team',
    load: async () => (await import('./commands/lists.ts')).addProjects,
  },
  {
    name: 'scan',
    summary: 'say how ready a repository is for agents, and what to do next; --push tells the team',
    load: async () => (await import('./commands/scan.ts')).addScan,
  },
  {
    name: 'report',
    summary: 'count how you work with agents, from their logs on this machine, and tell the team',
    load: async () => (await import('./commands/report.ts')).addReport,
  },
  {
    name: 'codebases',
    summary: 'list the codebases of the team with their newest scans, or the scans of one',
    load: async () => (await import('./commands/analytics.ts')).addCodebases,
  },
  {
    name: 'rollup',
    summary: 'show the levels of the members of the team and how they changed',
    load: async () => (await import('./commands/analytics.ts')).addRollup,
  },
  {
    name: 'brief',
    summary: 'say what an agent should know of a folder: decisions, your tasks, what is new',
    load: async () => (await import('./commands/brief.ts')).addBrief,
  },
  {
    name: 'hooks',
    summary: 'give the sessions of agents a brief at their start, and a nudge to write down what was learned',
    load: async () => (await import('./commands/hooks.ts')).addHooks,
  },
  {
    name: 'mcp',
    summary: 'serve agents the memory of the team, as MCP on standard input and output',
    load: async () => (await import('./commands/mcp.ts')).addMcp,
  },
  {
    name: 'config',
    summary: 'show the settings and where each comes from, or change one of the config file',
    load: async () => (await import('./commands/config.ts')).addConfig,
  },
  {
    name: 'backup',
    summary: 'write everything that the service stores into one file, while it runs',
    load: async () => (await import('./commands/backup.ts')).addBackup,
  },
  {
    name: 'admin',
    summary: 'manage teams, members, keys, services and more',
    load: async () => (await import('./commands/admin.ts')).addAdmin,
  },
  {
    name: 'export',
    summary: 'write everything of a team (--team) into a new folder, as Markdown and JSON lines',
    load: async () => (await import('./commands/team-folder.ts')).addExport,
  },
  {
    name: 'import',
    summary: 'bring a folder that tms export made into a team (--team), which is created if need be',
    load: async () => (await import('./commands/team-folder.ts')).addImport,
  },
  {
    name: 'completion',
    summary: 'print the script that completes commands and options on Tab',
    load: async () => (await import('./commands/completion.ts')).addCompletion,
  },
];
