import type { ContextValues } from '@connectrpc/connect';
import { principalKey } from './caller-context.ts';

/** Who calls, as the log names it; no member's name. */
export interface CallerFields {
  key_id?: string;
  /** Slug of the team. */
  team?: string;
  /** Name of a service, or `administrator`. */
  caller?: string;
}

/** Who makes a call, as far as its token was good. */
export function callerFields(values: ContextValues): CallerFields {
  const principal = values.get(principalKey);
  if (principal === undefined) return {};
  if (principal.kind === 'member') return { key_id: principal.caller.keyId, team: principal.caller.teamSlug };
  return { caller: principal.kind === 'service' ? principal.name : principal.kind };
}
