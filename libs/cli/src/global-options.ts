import type { Command } from 'commander';
import type { SettingsFlags } from './settings.ts';

export interface GlobalOptions extends SettingsFlags {
  json?: boolean;
}

/** Declares the options that every command takes, before or after its name. */
export function addGlobalOptions(program: Command): void {
  program
    .option('--url <url>', 'address of the service (TMS_URL, default http://127.0.0.1:8080)')
    .option('--key <key>', 'key; other users of this machine can see it, TMS_KEY is better')
    .option('--team <slug>', 'team (TMS_TEAM, which commands for administrators do not read)')
    .option('--config <file>', 'config file (TMS_CONFIG, default ~/.config/tms/config.json)')
    .option('--json', 'print one JSON object');
}
