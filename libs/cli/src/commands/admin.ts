import type { Command } from 'commander';
import type { CommandHost } from '../cli-context.ts';
import { addAddressCommands } from './admin-addresses.ts';
import { addAnalyticsCommands } from './admin-analytics.ts';
import { addAuditCommands } from './admin-audit.ts';
import { addKeyCommands } from './admin-keys.ts';
import { addOperatorCommands } from './admin-operators.ts';
import { addProjectCommands } from './admin-projects.ts';
import { addQueryCommands } from './admin-query.ts';
import { addServiceCredentialCommands } from './admin-service-credentials.ts';
import { addSkippedCommands } from './admin-skipped.ts';
import { addTeamCommands } from './admin-teams.ts';
import { addWebhookCommands } from './admin-webhooks.ts';
import { addAdminDecisionCommands } from './decisions.ts';

/** Adds `tms admin` and all its commands. */
export function addAdmin(program: Command, host: CommandHost): void {
  const admin = program.command('admin').description('manage teams, members, keys, services and more');
  addTeamCommands(admin, host);
  addKeyCommands(admin, host);
  addAddressCommands(admin, host);
  addOperatorCommands(admin, host);
  addServiceCredentialCommands(admin, host);
  addAdminDecisionCommands(admin, host);
  addProjectCommands(admin, host);
  addWebhookCommands(admin, host);
  addSkippedCommands(admin, host);
  addAnalyticsCommands(admin, host);
  addQueryCommands(admin, host);
  addAuditCommands(admin, host);
}
