import { type TokenSigner, tokenLifetimeSeconds } from './caller-token.ts';

/** A token is used for half its life, so that a call that waits long still comes with a good one. */
const usedForMs = (tokenLifetimeSeconds * 1000) / 2;

/** A token of the caller's own, as a service, for calls to the service of this name. */
export type ServiceToken = (audience: string) => Promise<string>;

/**
 * Makes the tokens of a service of this name and these scopes. Each is signed
 * once and used for half its life: a signature costs more than most calls.
 * `clock` answers milliseconds since the epoch.
 */
export function createServiceToken(options: {
  signer: TokenSigner;
  clock: () => number;
  name: string;
  scopes: string[];
}): ServiceToken {
  const { signer, clock, name, scopes } = options;
  const tokens = new Map<string, { token: Promise<string>; fromMs: number }>();
  return (audience) => {
    const known = tokens.get(audience);
    const ageMs = clock() - (known?.fromMs ?? 0);
    // A clock that was set back would otherwise keep a token that has expired for others.
    if (known !== undefined && ageMs >= 0 && ageMs < usedForMs) return known.token;
    const token = signer.sign({ kind: 'service', name, scopes }, audience);
    tokens.set(audience, { token, fromMs: clock() });
    token.catch(() => tokens.delete(audience));
    return token;
  };
}
