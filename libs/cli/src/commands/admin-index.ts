import type { CoverageRecord } from '@teammemory/client/search-index.ts';
import type { Command } from 'commander';
import type { CommandHost } from '../command-host.ts';
import { requiredTeam } from '../required-team.ts';
import { withAdminClient } from '../with-admin-client.ts';

const bytesPerMegabyte = 2 ** 20;

/** Adds `tms admin index`. Prints `{ team, team_keys, external_keys, bytes }`. */
export function addIndex(group: Command, { context, finish }: CommandHost): void {
  group
    .command('index')
    .description('how much of what the team of --team knows can be searched')
    .action(async (_options: object, command: Command) => {
      const team = requiredTeam(command);
      const { signal } = context;
      const record = await withAdminClient(context, (admin) => admin.getIndex({ team }, { signal }));
      const { team_keys, external_keys, bytes } = record;
      const lines = [
        `${team}  ${(bytes / bytesPerMegabyte).toFixed(1)} MB`,
        `team keys      ${line(team_keys)}`,
        `external keys  ${line(external_keys)}`,
      ];
      finish({ json: record, text: lines.join('\n') });
    });
}

function line({ passages, missing_passages }: CoverageRecord): string {
  return `${passages} passages, ${missing_passages} of them not indexed, or only in part`;
}
