import { AppError } from '@teammemory/errors/app-error.ts';
import type { TlsIdentity } from '@teammemory/rpc/tls-identity.ts';

/** The settings of mutual TLS between parts, as texts in PEM. */
export interface TlsSettings {
  TLS_CERTIFICATE?: string | undefined;
  TLS_KEY?: string | undefined;
  TLS_AUTHORITY?: string | undefined;
}

/**
 * What a part proves itself with to the others, as listener and as client, and
 * whose certificates it trusts; undefined where TLS is not set up.
 * @throws AppError `invalid_request` when only some of the settings are there.
 */
export function mutualTls(settings: TlsSettings): Required<TlsIdentity> | undefined {
  const { TLS_CERTIFICATE: certificate, TLS_KEY: key, TLS_AUTHORITY: authority } = settings;
  if (certificate !== undefined && key !== undefined && authority !== undefined) {
    return { certificate, key, authority };
  }
  if (certificate === undefined && key === undefined && authority === undefined) return undefined;
  const sentence = 'TLS_CERTIFICATE, TLS_KEY and TLS_AUTHORITY must all be set, or none of them.';
  throw new AppError('invalid_request', `Bad setting: ${sentence}`);
}
