import type { RollingWindow } from '@teammemory/admission/rolling-window.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import { type AuthenticateDependencies, authenticate } from './authentication.ts';
import type { Key } from './keys.ts';
import type { ServiceCredential, ServiceCredentials } from './service-credentials.ts';

/** Exchanges of one credential in any 60 seconds. A caller that keeps its tokens needs one a minute for each service. */
export const maxExchangesPerMinute = 60;

export interface ExchangeDependencies {
  keys: AuthenticateDependencies;
  serviceCredentials: Pick<ServiceCredentials, 'authenticate'>;
  operators: Pick<ServiceCredentials, 'authenticate'>;
  /** Asked about proven credentials only: then nobody uses up the exchanges of others. */
  exchanges: Pick<RollingWindow, 'take'>;
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
  if (dependencies.exchanges.take(id) === 0) return holder;
  throw new AppError(
    'rate_limited',
    `A credential can be exchanged ${maxExchangesPerMinute} times within 60 seconds; keep its token.`,
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
