import { createSecureContext } from 'node:tls';
import { type Environment, settingFile } from '@teammemory/config/read-settings.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { TlsIdentity } from '@teammemory/rpc/tls-identity.ts';
import type { z } from 'zod';
import { pem } from './setting-types.ts';

/** The settings of mutual TLS between parts, as texts in PEM. */
export const tlsSettings = { TLS_CERTIFICATE: pem(), TLS_KEY: pem(), TLS_AUTHORITY: pem() };

/** Paths of the files that these settings were read from; those whose value is in the environment have none. */
export type TlsFiles = { readonly [Name in keyof Required<TlsIdentity>]?: string | undefined };

/** Returns the files that settings of TLS are read from. */
export function tlsFiles(environment: Environment): TlsFiles {
  return {
    certificate: settingFile('TLS_CERTIFICATE', environment),
    key: settingFile('TLS_KEY', environment),
    authority: settingFile('TLS_AUTHORITY', environment),
  };
}

/** These settings as they were read. */
export type TlsSettings = z.output<z.ZodObject<typeof tlsSettings>>;

/**
 * Returns the certificate that a part presents as listener and client, and the authority that it trusts; undefined if
 * TLS is not set up.
 * @throws AppError `invalid_request` when only some of the settings are there, or they do not fit.
 */
export function mutualTls(settings: TlsSettings): Required<TlsIdentity> | undefined {
  const { TLS_CERTIFICATE: certificate, TLS_KEY: key, TLS_AUTHORITY: authority } = settings;
  if (certificate !== undefined && key !== undefined && authority !== undefined) {
    checkPair(certificate, key, authority);
    return { certificate, key, authority };
  }
  if (certificate === undefined && key === undefined && authority === undefined) return undefined;
  const sentence = 'TLS_CERTIFICATE, TLS_KEY and TLS_AUTHORITY must all be set, or none of them.';
  throw new AppError('invalid_request', `Bad setting: ${sentence}`);
}

/**
 * Refuses to talk without TLS to another part where TLS is set up: tokens would go in the clear.
 * @throws AppError `invalid_request` with one sentence.
 */
export function requireTls(urls: readonly string[], tls: unknown): void {
  if (tls === undefined || urls.every((url) => url.startsWith('https:'))) return;
  const sentence = 'with TLS_CERTIFICATE set, the addresses of other parts must begin with https://.';
  throw new AppError('invalid_request', `Bad setting: ${sentence}`);
}

function checkPair(cert: string, key: string, ca: string): void {
  try {
    createSecureContext({ cert, key, ca });
  } catch (cause) {
    const sentence =
      'TLS_CERTIFICATE, TLS_KEY and TLS_AUTHORITY must be a certificate, its key, and the certificate of who signed it, in PEM.';
    throw new AppError('invalid_request', `Bad setting: ${sentence}`, { cause });
  }
}
