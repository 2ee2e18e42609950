import type { TokenSigner } from './caller-token.ts';
import { keptTokens } from './kept-tokens.ts';
import type { Principal } from './principal.ts';

/** A token of the caller's own, as a service, for calls to the service of this name. */
export type ServiceToken = (audience: string) => Promise<string>;

/**
 * Makes the tokens of a service of this name and these scopes, which are kept
 * as of `keptTokens`. `clock` answers milliseconds since the epoch.
 */
export function createServiceToken(options: {
  signer: TokenSigner;
  clock: () => number;
  name: string;
  scopes: string[];
}): ServiceToken {
  const { name, scopes } = options;
  const tokens = keptTokens(options);
  const service: Principal = { kind: 'service', name, scopes };
  return (audience) => tokens.sign(service, audience);
}
