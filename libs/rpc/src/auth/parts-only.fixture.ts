import type { RequestGate } from '../server/request-gate.ts';
import { principalKey } from './caller-context.ts';

/** Takes everybody for another part of the installation, as a gate does by the token. */
export const partsOnly: RequestGate = async ({ values }) => {
  values.set(principalKey, { kind: 'service', name: 'test', scopes: [] });
};
