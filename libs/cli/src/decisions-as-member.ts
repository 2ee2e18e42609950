import { createMemberClient, type MemberClient } from '@teammemory/client/member-client.ts';
import { usageError } from './cli-error.ts';
import type { DecisionAccess } from './decision-access.ts';
import type { GlobalOptions } from './global-options.ts';
import { loadMemberSettings, type MemberSettings } from './settings.ts';

/** The decisions of the key's own team, for members: whatever team is set, the key says it. */
export const decisionsAsMember: DecisionAccess = async (command, context, work) => {
  const settings = await loadMemberSettings(command.optsWithGlobals<GlobalOptions>(), context);
  const member = open(settings);
  try {
    return await work(member.decisions, undefined);
  } finally {
    member.close();
  }
};

function open(settings: MemberSettings): MemberClient {
  try {
    return createMemberClient(settings);
  } catch (thrown) {
    throw thrown instanceof TypeError ? usageError(`TMS_RPC_URL is malformed: ${thrown.message}`) : thrown;
  }
}
