import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { settingInFile } from '@teammemory/config/read-settings.ts';
import type { Log } from '@teammemory/log/log.ts';
import type { TlsIdentity, TlsSource } from '@teammemory/rpc/tls-identity.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import type { TlsFiles } from './tls-settings.ts';

/** The pause between two looks at the files. A change is in use after two looks that saw the same. */
const defaultLookEveryMs = 5_000;

/** The second form is a certificate that is cut off. */
const certificateBlock =
  /-----BEGIN ((?:X509 |TRUSTED )?CERTIFICATE)-----[\s\S]+?-----END \1-----|-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/g;

/** Certificates that follow their files. */
export interface WatchedCertificates {
  /** What connections are to begin with now. */
  present: TlsSource<Required<TlsIdentity>>;
  /** Looks at the files now, beside the regular looks. */
  look(): Promise<void>;
  close(): void;
}

export interface WatchOptions {
  /** As it was read at the start. */
  identity: Required<TlsIdentity>;
  /** Where it was read from; what has no file stays as it is. */
  files: TlsFiles;
  /** Milliseconds since the epoch. */
  clock: () => number;
  log: Log;
  metrics: Metrics;
  /** 5 seconds unless told. */
  lookEveryMs?: number;
}

/**
 * Reads the files of certificates again and again, and replaces the identity when their content changes. It compares
 * contents, so it does not matter whether a file is written, renamed, or reached by a link that now points elsewhere,
 * as in a volume of Kubernetes.
 *
 * Content must be the same at two looks in a row, because a file may be half-written at one of them. Content that
 * cannot be used is logged once as an error, and the certificates before it stay in use.
 */
export function watchCertificates(options: WatchOptions): WatchedCertificates {
  const { files, clock, log, metrics, lookEveryMs = defaultLookEveryMs } = options;
  let present = options.identity;
  let expiry = expiryOf(present);
  /** What the last look saw, if that is not in use. */
  let seen: string | undefined;
  let reported: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const countFailure = metrics.counter('teammemory_certificate_reload_failures_total');
  for (const which of ['certificate', 'authority'] as const) {
    metrics.gauge('teammemory_certificate_expiry_timestamp_seconds', () => expiry[which] / 1000, {
      which,
    });
  }

  async function look(): Promise<void> {
    const found = await readIdentity(files, options.identity);
    const content = JSON.stringify(found ?? null);
    if (content === JSON.stringify(present)) {
      seen = undefined;
      reported = undefined;
    } else if (content !== seen) {
      seen = content;
    } else {
      const fault = found === undefined ? 'a file cannot be read' : faultOf(found, clock());
      if (found !== undefined && fault === undefined) replace(found);
      else if (content !== reported) refuse(fault, content);
    }
  }

  function replace(found: Required<TlsIdentity>): void {
    present = found;
    expiry = expiryOf(found);
    seen = undefined;
    reported = undefined;
    log.info({ expires: new Date(expiry.certificate).toISOString() }, 'certificates were replaced');
  }

  function refuse(fault: string | undefined, content: string): void {
    reported = content;
    countFailure();
    log.error(
      { files, fault },
      'changed certificate files cannot be used; the certificates before stay in use',
    );
  }

  function schedule(): void {
    if (isClosed) return;
    timer = setTimeout(() => look().finally(schedule), lookEveryMs).unref();
  }

  if (Object.values(files).some((file) => file !== undefined)) schedule();
  return {
    present: () => present,
    look,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** Returns undefined if a file cannot be read. */
async function readIdentity(
  files: TlsFiles,
  fixed: Required<TlsIdentity>,
): Promise<Required<TlsIdentity> | undefined> {
  const read = async (name: keyof TlsFiles) => {
    const file = files[name];
    return file === undefined ? fixed[name] : settingInFile(await readFile(file, 'utf8'));
  };
  try {
    const [certificate, key, authority] = await Promise.all([
      read('certificate'),
      read('key'),
      read('authority'),
    ]);
    return { certificate, key, authority };
  } catch {
    return undefined;
  }
}

/** Returns why an identity cannot be used, in words that quote nothing of it; undefined if it can. */
function faultOf({ certificate, key, authority }: Required<TlsIdentity>, nowMs: number): string | undefined {
  const [chain, authorities] = [certificatesIn(certificate), certificatesIn(authority)];
  const [own, ...intermediates] = chain ?? [];
  if (own === undefined) return 'the certificate is not PEM';
  if (authorities === undefined || authorities.length === 0) return 'the authority is not PEM';
  try {
    createSecureContext({ cert: certificate, key, ca: authority });
  } catch {
    return 'the key is not PEM, or does not belong to the certificate';
  }
  if (own.validToDate.getTime() <= nowMs) return 'the certificate has expired';
  if (own.validFromDate.getTime() > nowMs) return 'the certificate is not valid yet';
  if (!isSigned(own, intermediates, authorities)) return 'the authority did not sign the certificate';
  return undefined;
}

/** Whether one of the authorities signed a certificate, or one of the intermediates that lead to it. */
function isSigned(
  own: X509Certificate,
  intermediates: readonly X509Certificate[],
  authorities: readonly X509Certificate[],
): boolean {
  const signed = (by: X509Certificate, certificate: X509Certificate) =>
    certificate.checkIssued(by) && certificate.verify(by.publicKey);
  let certificate: X509Certificate | undefined = own;
  // Each round goes one step up the chain, which is no longer than the file.
  for (let step = 0; certificate !== undefined && step <= intermediates.length; step += 1) {
    const current: X509Certificate = certificate;
    if (authorities.some((by) => signed(by, current))) return true;
    certificate = intermediates.find((by) => signed(by, current));
  }
  return false;
}

/** Returns the certificates in a text, the first first; undefined if one of them cannot be read. */
function certificatesIn(pem: string): X509Certificate[] | undefined {
  try {
    return [...pem.matchAll(certificateBlock)].map(([block]) => new X509Certificate(block));
  } catch {
    return undefined;
  }
}

/** When the first certificate of each file expires, in milliseconds since the epoch; NaN if one cannot be read. */
function expiryOf(identity: Required<TlsIdentity>): Record<'certificate' | 'authority', number> {
  const earliest = (pem: string) =>
    Math.min(...(certificatesIn(pem)?.map(({ validToDate }) => validToDate.getTime()) ?? [Number.NaN]));
  return { certificate: earliest(identity.certificate), authority: earliest(identity.authority) };
}
