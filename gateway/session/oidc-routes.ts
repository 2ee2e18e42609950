import { createConcurrencyLimit } from '@teammemory/async/concurrency-limit.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { Log } from '@teammemory/log/log.ts';
import { isSlug } from '@teammemory/vocabulary/formats.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { refuseOtherMethods } from '../mount-operations.ts';
import { originOf } from '../request.ts';
import { createOidcClient, type OidcOptions, SignInError, type SignInRefusal } from './oidc-client.ts';
import { browserCookie, cookieOf, setSessionCookie } from './session-cookie.ts';
import type { Sessions } from './sessions.ts';

const beginPath = '/session/oidc';
/** Where the provider sends browsers back to, below `PUBLIC_URL`. */
export const callbackPath = '/session/oidc/callback';
/** Remembers in the browser what it began with. */
const flowCookie = 'tms_sign_in';
/** How long a person may take at the provider. */
const flowSeconds = 10 * 60;
/** Sign-ins that may be completed at once; each asks the provider twice, and strangers may start it. */
const maxCompletions = 50;
/** The way back within the dashboard: a path of this origin, without what browsers take for another host. */
const localPath = /^\/(?![/\\])[^\\\s]{0,511}$/;

const flow = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  team: z.string(),
  returnTo: z.string(),
});
type Flow = z.output<typeof flow>;

/**
 * Mounts the sign-in through the organisation's identity provider (OpenID Connect, authorization code with PKCE).
 * `GET /session/oidc?team=&return_to=` sends the browser there, and the callback opens the session of the member whom the
 * team's table names for the verified address. Every failure leads to the sign-in page, which says why.
 */
export function oidcRoutes({
  sessions,
  oidc,
  isHttps,
  monotonicClock,
  log,
}: {
  sessions: Sessions;
  oidc: OidcOptions;
  /** Whether browsers reach the service over HTTPS. */
  isHttps: boolean;
  /** Milliseconds that never go back. */
  monotonicClock: () => number;
  log: Log;
}) {
  const client = createOidcClient({ ...oidc, monotonicClock });
  const completions = createConcurrencyLimit(
    { maxInAll: maxCompletions, maxPerTeam: maxCompletions },
    'Too many people sign in at once.',
  );

  function setFlow(request: FastifyRequest, reply: FastifyReply, value: string, maxAgeSeconds: number): void {
    // Lax, because the provider's page leads back; the session's own cookie stays strict.
    const cookie = { name: flowCookie, value, maxAgeSeconds, sameSite: 'Lax' } as const;
    reply.header('set-cookie', browserCookie(request, { ...cookie, isHttps }));
  }

  async function begin(request: FastifyRequest, reply: FastifyReply) {
    const { team, return_to: wanted } = request.query as { team?: unknown; return_to?: unknown };
    if (!isSlug(team)) throw new SignInError('no_team', 'The team is no slug.');
    const returnTo = typeof wanted === 'string' && localPath.test(wanted) ? wanted : '/';
    const { url, checks } = await client.begin();
    setFlow(request, reply, flowToText({ ...checks, team, returnTo }), flowSeconds);
    return reply.redirect(url, 303);
  }

  async function complete(request: FastifyRequest, reply: FastifyReply) {
    const begun = flowFromText(cookieOf(request, flowCookie));
    setFlow(request, reply, '', 0);
    const query = new URLSearchParams(request.url.split('?')[1] ?? '');
    // The library checks it too; here it tells a link that is old or of another browser from a faulty provider.
    if (begun === undefined || query.get('state') !== begun.state) {
      throw new SignInError('expired', 'The browser did not begin this sign-in, or long ago.');
    }
    const release = completions.acquire('');
    try {
      const address = await client.complete(query, begun);
      const opened = await sessions.open({ verified: { address, teamSlug: begun.team } }, originOf(request));
      setSessionCookie(request, reply, { ...opened, isHttps });
    } finally {
      release();
    }
    return reply.redirect(begun.returnTo, 303);
  }

  /** Sends a failure to the sign-in page. */
  function orRefusal(handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      reply.header('referrer-policy', 'no-referrer');
      try {
        return await handler(request, reply);
      } catch (error) {
        const reason = reasonOf(error);
        const { message, name } = error as Error;
        log.warn({ request_id: request.id, reason, error: `${name}: ${message}` }, 'a sign-in was refused');
        return reply.redirect(`/sign-in?refused=${reason}`, 303);
      }
    };
  }

  return async (app: FastifyInstance): Promise<void> => {
    for (const [path, handler] of [
      [beginPath, begin],
      [callbackPath, complete],
    ] as const) {
      app.get(path, { exposeHeadRoute: false, handler: orRefusal(handler) });
      refuseOtherMethods(app, path, ['GET']);
    }
  };
}

function reasonOf(error: unknown): SignInRefusal {
  if (error instanceof SignInError) return error.reason;
  if (error instanceof AppError && error.code === 'invalid_key') return 'unknown_address';
  return 'unavailable';
}

function flowToText(begun: Flow): string {
  return Buffer.from(JSON.stringify(begun)).toString('base64url');
}

/** The cookie is the browser's word, which is enough: whoever changes it only fails the checks. */
function flowFromText(text: string | undefined): Flow | undefined {
  try {
    const begun = flow.safeParse(JSON.parse(Buffer.from(text ?? '', 'base64url').toString())).data;
    return begun !== undefined && isSlug(begun.team) && localPath.test(begun.returnTo) ? begun : undefined;
  } catch {
    return undefined;
  }
}
