import type { DecisionAccess } from './decision-access.ts';
import { requiredTeam } from './required-team.ts';
import { withAdminClient } from './with-admin-client.ts';

/** The decisions of the team of `--team`, for administrators. */
export const decisionsAsAdministrator: DecisionAccess = (command, context, work) => {
  const team = requiredTeam(command);
  return withAdminClient(context, (admin) => work(admin.decisions(team), team));
};
