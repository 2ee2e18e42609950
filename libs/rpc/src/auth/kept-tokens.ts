import { LRUCache } from 'lru-cache';
import { type TokenSigner, tokenLifetimeSeconds } from './caller-token.ts';

/** A token is used for half its life, so that a call that waits long still comes with a good one. */
const usedForMs = (tokenLifetimeSeconds * 1000) / 2;
/** A gateway uses one per key and audience; more than these are signed again. */
const tokensKept = 20_000;

/**
 * Signs each token once and gives it to all who ask within half its life, for
 * a signature costs more than most calls; one that failed is made anew.
 * `clock` is the signer's, milliseconds since the epoch: services judge a
 * token's times by theirs, so one of before the clock was set, back or on, is
 * of no use, however short ago that was.
 */
export function keptTokens(options: { signer: TokenSigner; clock: () => number }): TokenSigner {
  const { signer, clock } = options;
  const kept = new LRUCache<string, { token: Promise<string>; fromMs: number }>({ max: tokensKept });
  return {
    sign(principal, audience) {
      // All that the token will say: whatever changes of it makes another one.
      const name = JSON.stringify([audience, principal]);
      const known = kept.get(name);
      const nowMs = clock();
      if (known !== undefined && known.fromMs <= nowMs && nowMs < known.fromMs + usedForMs)
        return known.token;
      const token = signer.sign(principal, audience);
      kept.set(name, { token, fromMs: nowMs });
      token.catch(() => kept.delete(name));
      return token;
    },
  };
}
