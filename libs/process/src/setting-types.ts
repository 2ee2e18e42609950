import { createPrivateKey, createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import { optionalUrl, wholeNumber } from '@teammemory/config/setting-types.ts';
import { z } from 'zod';

/** Keys that are accepted at once: the present one and, while keys are rotated, the one before or after it. */
const maxVerificationKeys = 2;
/** Processes of one part that a setting may name. */
const maxAddresses = 64;

/** A part is addressed by scheme, host and port; any other component would be silently dropped. */
function isAddress(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
}
const pemBlock = /-----BEGIN [A-Z0-9 ]+-----[\s\S]+?-----END [A-Z0-9 ]+-----/g;

/** Address of MongoDB, or absent. */
export function mongodbUrl() {
  return optionalUrl('mongodb:', 'mongodb+srv:');
}

/** Address of MongoDB, for a process that has nowhere else to keep rows. */
export function requiredMongodbUrl() {
  return mongodbUrl()
    .refine((url) => url !== undefined, 'must be set')
    .transform((url) => url as string);
}

/** Name of a database. */
export function mongodbDatabase() {
  return z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,63}$/, 'must be 1 to 63 characters of A-Z, a-z, 0-9, _ and -')
    .default('team_memory');
}

/** The administrator's token, or absent. */
export function administratorToken() {
  return z
    .string()
    .regex(/^[\x21-\x7e]{32,256}$/, 'must be 32 to 256 visible ASCII characters')
    .optional();
}

/** Returns a new administrator's token, for an installation that sets none. */
export function newAdministratorToken(): string {
  return `tms_admin_${randomBytes(32).toString('base64url')}`;
}

/** Addresses of the processes of one part, with commas between them. */
export function addresses() {
  return z
    .string({ error: 'must be set' })
    .transform((value) => value.split(',').map((address) => address.trim()))
    .refine((list) => list.length <= maxAddresses && list.every(isAddress), {
      error: `must be 1 to ${maxAddresses} addresses like http://host:port or https://host:port with commas between them`,
    });
}

/** PEM text, as certificates and keys are kept in files, or absent. */
export function pem() {
  return z
    .string()
    .refine((value) => value.match(pemBlock) !== null, 'must be PEM')
    .optional();
}

/** The private Ed25519 key that signs caller tokens. */
export function signingKey() {
  return z.string({ error: 'must be set' }).transform((text, context): KeyObject => {
    const key = ed25519Key(() => createPrivateKey(text));
    if (key !== undefined) return key;
    context.addIssue({ code: 'custom', message: 'must be an Ed25519 private key in PEM' });
    return z.NEVER;
  });
}

/** The public Ed25519 keys whose signatures are accepted: one, or two while keys are rotated. */
export function verificationKeys() {
  return z.string({ error: 'must be set' }).transform((text, context): KeyObject[] => {
    const blocks = text.match(pemBlock) ?? [];
    // A private key would work too, but this part must not have one.
    if (text.includes('PRIVATE KEY')) blocks.length = 0;
    const keys = blocks.map((block) => ed25519Key(() => createPublicKey(block)));
    const good = keys.filter((key) => key !== undefined);
    if (good.length === keys.length && good.length > 0 && good.length <= maxVerificationKeys) return good;
    context.addIssue({
      code: 'custom',
      message: `must be 1 to ${maxVerificationKeys} Ed25519 public keys in PEM`,
    });
    return z.NEVER;
  });
}

function ed25519Key(read: () => KeyObject): KeyObject | undefined {
  try {
    const key = read();
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    // The error does not quote the text, because it may be a secret.
    return undefined;
  }
}

/** Days for which the audit log keeps its entries. */
export function auditRetentionDays() {
  return wholeNumber({ minimum: 1, maximum: 36_500, default: 400 });
}
