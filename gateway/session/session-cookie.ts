import type { FastifyReply, FastifyRequest } from 'fastify';

/** Over HTTPS, and on this machine: browsers bind the cookie to this host and send it over secure connections only. */
const securePrefix = '__Host-';
/** Without the prefix over plain HTTP, where browsers take no secure cookies. */
const sessionName = 'tms_session';
/** A session is `tmsn_<16>_<43>`; anything else is not worth asking about. */
const sessionShape = /^tmsn_[0-9A-Za-z]{16}_[0-9A-Za-z]{43}$/;
const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/** Returns the session of a request's cookie; undefined if it has none. */
export function sessionOf(request: Pick<FastifyRequest, 'headers'>): string | undefined {
  const session = cookieOf(request, sessionName);
  return session !== undefined && sessionShape.test(session) ? session : undefined;
}

/** Returns the value of a cookie of `browserCookie`; undefined if the request has none. The secure one is preferred. */
export function cookieOf({ headers }: Pick<FastifyRequest, 'headers'>, wanted: string): string | undefined {
  const cookies = new Map<string, string>();
  for (const part of (headers.cookie ?? '').split(';')) {
    const [name = '', value = ''] = part.trim().split('=');
    // With two of one name, the first is the one with the longer path, which is not ours.
    cookies.set(name, value);
  }
  return cookies.get(securePrefix + wanted) ?? cookies.get(wanted);
}

/** Lets the browser keep a session until it expires. `isHttps`: whether browsers reach the service over HTTPS. */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  session: { text: string; maxAgeSeconds: number; isHttps: boolean },
): void {
  const { text: value, ...others } = session;
  const cookie = { name: sessionName, value, sameSite: 'Strict', ...others } as const;
  reply.header('set-cookie', browserCookie(request, cookie));
}

/** Returns the header of a cookie that no script reads, in the strictest form that the browser takes. */
export function browserCookie(
  request: FastifyRequest,
  wanted: {
    name: string;
    value: string;
    maxAgeSeconds: number;
    sameSite: 'Strict' | 'Lax';
    /** Whether browsers reach the service over HTTPS. */
    isHttps: boolean;
  },
): string {
  const { value, maxAgeSeconds, sameSite } = wanted;
  const isSecure = wanted.isHttps || takesSecureCookie(request);
  const name = isSecure ? securePrefix + wanted.name : wanted.name;
  return cookieText(name, value, `Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=${sameSite}`, isSecure);
}

/** Removes the session from the browser. */
export function clearSessionCookies(reply: FastifyReply): void {
  const ended = 'Max-Age=0; HttpOnly; SameSite=Strict';
  reply.header('set-cookie', [
    cookieText(securePrefix + sessionName, '', ended, true),
    cookieText(sessionName, '', ended, false),
  ]);
}

function cookieText(name: string, value: string, attributes: string, isSecure: boolean): string {
  return `${name}=${value}; Path=/; ${attributes}${isSecure ? '; Secure' : ''}`;
}

/** Over plain HTTP to this machine Chromium and Firefox take secure cookies, and Safari does not. */
function takesSecureCookie({ headers }: FastifyRequest): boolean {
  const agent = headers['user-agent'] ?? '';
  const isSafari = /AppleWebKit/.test(agent) && !/Chrome|Chromium/.test(agent);
  return loopback.test(headers.host ?? '') && !isSafari;
}
