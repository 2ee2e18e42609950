import type { Command } from 'commander';

/** The flags that every command takes. */
export interface GlobalOptions {
  url?: string;
  key?: string;
  team?: string;
  /** Path of the config file. */
  config?: string;
  json?: boolean;
  quiet?: boolean;
}

/** Declares the options of all commands. They may stand before or after the name of the command. */
export function addGlobalOptions(program: Command): Command {
  return program
    .option('--url <url>', 'address of the service (TMS_URL; default: http://127.0.0.1:8080)')
    .option('--key <key>', 'key; better run tms login, because other users of this machine can see flags')
    .option('--team <slug>', 'team (TMS_TEAM, except for tms admin)')
    .option('--config <file>', 'config file (TMS_CONFIG; default: ~/.config/tms/config.json)')
    .option('--json', 'print one JSON object')
    .option('-q, --quiet', 'print no progress and no list of what was done');
}

/**
 * Looks for `--json` before the arguments are parsed, so that mistakes in them are printed as JSON, too.
 */
export function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? args.length : end).includes('--json');
}
