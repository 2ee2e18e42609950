import { principalKey } from '../auth/caller-context.ts';
import type { RequestGate } from './guard-service.ts';

/** Takes everybody for another part of the installation, as a gate does by the token. */
export const partsOnly: RequestGate = async ({ values }) => {
  values.set(principalKey, { kind: 'service', name: 'test', scopes: [] });
};
