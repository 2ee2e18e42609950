import { isIP } from 'node:net';
import { z } from 'zod';

/** A whole number between two bounds, both included, written in decimal digits. */
export function wholeNumber(bounds: { minimum: number; maximum: number; default: number }) {
  const message = `must be a whole number from ${bounds.minimum} to ${bounds.maximum}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= bounds.minimum && value <= bounds.maximum, message)
    .default(bounds.default);
}

/** A TCP port; 0 takes any free one. */
export function port(defaultPort: number) {
  return wholeNumber({ minimum: 0, maximum: 65_535, default: defaultPort });
}

/** One of a few words, in lower case. */
export function oneOf<const Words extends readonly [string, ...string[]]>(
  words: Words,
  defaultWord: Words[number],
) {
  return z.enum(words, `must be one of ${words.join(', ')}`).default(() => defaultWord as never);
}

/** Text that is not empty. */
export function text(defaultText: string) {
  return z.string().default(defaultText);
}

/** Text that may be absent. */
export function optionalText() {
  return z.string().optional();
}

/** A URL with one of the given schemes (written with their colon), or absent. */
export function optionalUrl(...schemes: string[]) {
  return z
    .string()
    .refine((value) => URL.canParse(value) && schemes.includes(new URL(value).protocol), {
      error: `must be a URL that starts with ${schemes.join('// or ')}//`,
    })
    .optional();
}

/** The address of something to be trusted: `https://`, or `http://` on this machine. Or absent. */
export function secureUrl() {
  return z
    .string()
    .refine((value) => URL.canParse(value) && isSecure(new URL(value)), {
      error: 'must be a URL that starts with https://, or with http:// and a name of this machine',
    })
    .optional();
}

function isSecure({ protocol, hostname }: URL): boolean {
  if (protocol === 'https:') return true;
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** Origins that a setting may list; each costs a few bytes. */
const maxOrigins = 100;

/** Origins of web pages, with commas between them: scheme, host, and the port unless it is the usual one. Or absent. */
export function origins() {
  return z
    .string()
    .transform((value) => value.split(',').map((origin) => origin.trim()))
    .refine((list) => list.length <= maxOrigins && list.every(isOrigin), {
      error: `must be at most ${maxOrigins} origins like https://app.example.org or http://localhost:3000, in lower case and without a path, with commas between them`,
    })
    .optional();
}

/** Names of hosts that a setting may list. */
const maxHostNames = 100;
/** A DNS name: labels of letters, digits, hyphens and underscores, with dots between them. */
const hostName =
  /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/;

/** Names of hosts, with commas between them. Or absent. */
export function hostNames() {
  return z
    .string()
    .transform((value) => value.split(',').map((name) => name.trim().toLowerCase()))
    .refine((list) => list.length <= maxHostNames && list.every((name) => hostName.test(name)), {
      error: `must be at most ${maxHostNames} names of hosts like memory.example.org, without scheme and port, with commas between them`,
    })
    .optional();
}

/** Ranges of addresses that a setting may list. */
const maxAddressRanges = 100;

/** IP addresses and ranges of them, such as `10.1.0.0/16`, with commas between them. Or absent. */
export function addressRanges() {
  return z
    .string()
    .transform((value) => value.split(',').map((range) => range.trim()))
    .refine((list) => list.length <= maxAddressRanges && list.every(isAddressRange), {
      error: `must be at most ${maxAddressRanges} IP addresses or ranges like 10.1.0.0/16 or fd00::/8, with commas between them`,
    })
    .optional();
}

function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** Browsers send an origin in exactly one form, and it is compared as text. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
