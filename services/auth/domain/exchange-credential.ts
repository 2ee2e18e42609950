import { AppError } from '@teammemory/errors/app-error.ts';
import { type AuthenticateDependencies, authenticate } from './authenticate.ts';
import { type ExchangeLimit, exchangesPerWindow } from './exchange-limit.ts';
import type { Key } from './key.ts';
import type { ServiceCredential } from './service-credential.ts';
import type { ServiceCredentials } from './service-credentials.ts';

export interface ExchangeDependencies {
  keys: AuthenticateDependencies;
  serviceCredentials: Pick<ServiceCredentials, 'authenticate'>;
  limit: ExchangeLimit;
}

/** Whom a credential stands for. */
export type Holder = { kind: 'member'; key: Key } | { kind: 'service'; credential: ServiceCredential };

/**
 * Turns a member's key or a service credential into whom it stands for.
 * @throws AppError `invalid_key`, the same for every reason; `rate_limited`,
 *   which only the holder of the secret ever meets; `unavailable`.
 */
export async function exchangeCredential(dependencies: ExchangeDependencies, text: string): Promise<Holder> {
  const holder = await holderOf(dependencies, text);
  const id = holder.kind === 'member' ? holder.key.keyId : holder.credential.credentialId;
  if (dependencies.limit.admits(id)) return holder;
  throw new AppError(
    'rate_limited',
    `A credential can be exchanged ${exchangesPerWindow} times within 60 seconds; keep its token.`,
  );
}

async function holderOf(dependencies: ExchangeDependencies, text: string): Promise<Holder> {
  if (text.startsWith('tmss_')) {
    return { kind: 'service', credential: await dependencies.serviceCredentials.authenticate(text) };
  }
  return { kind: 'member', key: await authenticate(dependencies.keys, text) };
}
