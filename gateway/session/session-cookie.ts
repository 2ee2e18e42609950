import type { FastifyReply, FastifyRequest } from 'fastify';

/** Over HTTPS, and on this machine: browsers bind it to this host and send it over secure connections only. */
const secureName = '__Host-tms_session';
/** Over plain HTTP, where browsers take no secure cookies. */
const plainName = 'tms_session';
/** A session is `tmsn_<16>_<43>`; anything else is not worth asking about. */
const sessionShape = /^tmsn_[0-9A-Za-z]{16}_[0-9A-Za-z]{43}$/;
const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/** Returns the session of a request's cookie; undefined if it has none. The secure cookie is preferred. */
export function sessionOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const cookies = new Map<string, string>();
  for (const part of (headers.cookie ?? '').split(';')) {
    const [name = '', value = ''] = part.trim().split('=');
    // With two of one name, the first is the one with the longer path, which is not ours.
    cookies.set(name, value);
  }
  const session = cookies.get(secureName) ?? cookies.get(plainName);
  return session !== undefined && sessionShape.test(session) ? session : undefined;
}

/** Lets the browser keep a session until it expires. `isHttps`: whether browsers reach the service over HTTPS. */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  session: { text: string; maxAgeSeconds: number; isHttps: boolean },
): void {
  const { text, maxAgeSeconds, isHttps } = session;
  const isSecure = isHttps || takesSecureCookie(request);
  const name = isSecure ? secureName : plainName;
  reply.header('set-cookie', cookie(name, text, maxAgeSeconds, isSecure));
}

/** Removes the session from the browser. */
export function clearSessionCookies(reply: FastifyReply): void {
  reply.header('set-cookie', [cookie(secureName, '', 0, true), cookie(plainName, '', 0, false)]);
}

function cookie(name: string, value: string, maxAgeSeconds: number, isSecure: boolean): string {
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict`;
  return `${name}=${value}; ${attributes}${isSecure ? '; Secure' : ''}`;
}

/** Over plain HTTP to this machine Chromium and Firefox take secure cookies, and Safari does not. */
function takesSecureCookie({ headers }: FastifyRequest): boolean {
  const agent = headers['user-agent'] ?? '';
  const isSafari = /AppleWebKit/.test(agent) && !/Chrome|Chromium/.test(agent);
  return loopback.test(headers.host ?? '') && !isSafari;
}
