import { AppError } from '@teammemory/errors/app-error.ts';
import { type AuthenticateDependencies, authenticate } from './authentication.ts';
import type { Key } from './keys.ts';
import type { ServiceCredential, ServiceCredentials } from './service-credentials.ts';

/** Exchanges of one credential in a window. A caller that keeps its tokens needs one a minute for each service. */
export const maxExchangesPerWindow = 60;
const windowMs = 60_000;

/** Counts exchanges of each credential in this process. */
export interface ExchangeLimit {
  /** Returns whether the credential may be exchanged now, and counts the exchange if so. */
  admits(credentialId: string): boolean;
}

/**
 * An exact rolling window: no 60 seconds, wherever they begin, admit more than
 * the limit. To be asked about proven credentials only: then its memory is
 * bounded by those in use, and nobody uses up the exchanges of others.
 */
export function createExchangeLimit({ clock }: { clock: () => number }): ExchangeLimit {
  /** Times of exchanges by credential, oldest first. The map is in order of the last exchange. */
  const exchanged = new Map<string, number[]>();

  function forgetUnused(oldestMs: number): void {
    for (const [credentialId, times] of exchanged) {
      if ((times.at(-1) ?? 0) > oldestMs) return;
      exchanged.delete(credentialId);
    }
  }

  return {
    admits(credentialId) {
      const now = clock();
      const oldestMs = now - windowMs;
      forgetUnused(oldestMs);
      const times = (exchanged.get(credentialId) ?? []).filter((time) => time > oldestMs);
      if (times.length >= maxExchangesPerWindow) return false;
      exchanged.delete(credentialId);
      exchanged.set(credentialId, [...times, now]);
      return true;
    },
  };
}

export interface ExchangeDependencies {
  keys: AuthenticateDependencies;
  serviceCredentials: Pick<ServiceCredentials, 'authenticate'>;
  operators: Pick<ServiceCredentials, 'authenticate'>;
  limit: ExchangeLimit;
}

/** The holder of a credential. */
export type Holder =
  | { kind: 'member'; key: Key }
  | { kind: 'service'; credential: ServiceCredential }
  | { kind: 'operator'; credential: ServiceCredential };

/**
 * Returns the holder of a member's key, of a service credential, or of an operator's token.
 * @throws AppError `invalid_key`, the same for every reason; `rate_limited`,
 *   which only the holder of the secret ever meets; `unavailable`.
 */
export async function exchangeCredential(dependencies: ExchangeDependencies, text: string): Promise<Holder> {
  const holder = await holderOf(dependencies, text);
  const id = holder.kind === 'member' ? holder.key.keyId : holder.credential.credentialId;
  if (dependencies.limit.admits(id)) return holder;
  throw new AppError(
    'rate_limited',
    `A credential can be exchanged ${maxExchangesPerWindow} times within 60 seconds; keep its token.`,
  );
}

async function holderOf(dependencies: ExchangeDependencies, text: string): Promise<Holder> {
  if (text.startsWith('tmss_')) {
    return { kind: 'service', credential: await dependencies.serviceCredentials.authenticate(text) };
  }
  if (text.startsWith('tmso_')) {
    return { kind: 'operator', credential: await dependencies.operators.authenticate(text) };
  }
  return { kind: 'member', key: await authenticate(dependencies.keys, text) };
}
