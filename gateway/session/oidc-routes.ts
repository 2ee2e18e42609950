import { createPermits } from '@teammemory/admission/permits.ts';
import type { RateLimiter } from '@teammemory/admission/rolling-window.ts';
import { createLru } from '@teammemory/async/lru.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import { limitWarnings } from '@teammemory/log/limited-warnings.ts';
import type { Log } from '@teammemory/log/log.ts';
import { isSlug } from '@teammemory/vocabulary/formats.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuseOtherMethods } from '../mount-operations.ts';
import { takeSlots } from '../rate-limit/http-limits.ts';
import { originOf, strangerOf } from '../request.ts';
import { countFailed } from './failed-sign-ins.ts';
import { createOidcClient, type OidcOptions, SignInError, type SignInRefusal } from './oidc-client.ts';
import { browserCookie, cookieOf, setSessionCookie } from './session-cookie.ts';
import type { Sessions } from './sessions.ts';
import { createSignInFlows, flowSeconds, type SignInFlow } from './sign-in-flow.ts';

const beginPath = '/session/oidc';
/** Where the provider sends browsers back to, below `PUBLIC_URL`. */
const callbackPath = '/session/oidc/callback';
/** Remembers in the browser what it began with. */
const flowCookie = 'tms_sign_in';
/** Sign-ins that may be completed at once, in all and from one address; each asks the provider twice. */
const [maxCompletions, maxOfAddress] = [50, 10];
/** Flows whose completion began; more than may begin in the time in which one is good. */
const maxUsedFlows = 20_000;
/** In any 60 seconds: sign-ins that begin at an address, and sign-ins of one mail address. */
const [maxBegun, maxOfPerson] = [300, 10];
/**
 * The way back within the dashboard: a path of this origin, without what browsers take for another host. The request of an
 * app, which is a query of the page that asks for consent, is some hundred characters long.
 */
const localPath = /^\/(?![/\\])[^\\\s]{0,2047}$/;

/**
 * Mounts the sign-in through the organisation's identity provider (OpenID Connect, authorization code with PKCE).
 * `GET /session/oidc?team=&return_to=` sends the browser there, and the callback opens the session of the member whom the
 * team's table names for the verified address. Every failure leads to the sign-in page, which says why.
 *
 * The provider is asked only for a flow that began here, once for each flow, and for one address only so often: it
 * counts what it is asked against this service, for all people.
 */
export function oidcRoutes({
  sessions,
  signIns,
  oidc,
  secret,
  clock,
  isHttps,
  monotonicClock,
  log,
}: {
  sessions: Sessions;
  signIns: RateLimiter;
  oidc: OidcOptions;
  /** What the cookies of flows are sealed with, 32 bytes that all gateways share. */
  secret: Uint8Array;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Whether browsers reach the service over HTTPS. */
  isHttps: boolean;
  /** Milliseconds that never go back. */
  monotonicClock: () => number;
  log: Log;
}) {
  const client = createOidcClient({ ...oidc, monotonicClock });
  const flows = createSignInFlows({ secret, clock });
  const used = createLru<true>(maxUsedFlows);
  const completions = boundCompletions();
  const orRefusal = refusalsTo(log);

  async function begin(request: FastifyRequest, reply: FastifyReply) {
    const { team, return_to: wanted } = request.query as { team?: unknown; return_to?: unknown };
    if (!isSlug(team)) throw new SignInError('no_team', 'The team is no slug.');
    const returnTo = typeof wanted === 'string' && localPath.test(wanted) ? wanted : '/';
    const key = `begun at ${strangerOf(request).address}`;
    await takeSlots({ limiter: signIns, policy: 'sign-ins', key, ownLimit: maxBegun, reply });
    const { url, checks } = await client.begin();
    const flow = flows.seal({ ...checks, team, returnTo });
    setFlow(request, reply, { value: flow, maxAgeSeconds: flowSeconds, isHttps });
    return reply.redirect(url, 303);
  }

  /** Returns the flow that a callback completes, which nobody completes again. */
  function takeFlow(request: FastifyRequest, query: URLSearchParams): SignInFlow {
    const begun = flows.open(cookieOf(request, flowCookie));
    // The library checks the state too; here it tells a link that is old or of another browser from a faulty provider.
    if (begun === undefined || query.get('state') !== begun.state || used.has(begun.state)) {
      throw new SignInError('expired', 'The browser did not begin this sign-in, or long ago.');
    }
    used.set(begun.state, true);
    return begun;
  }

  /** Signs in with what the provider sent the browser back with. */
  async function signIn(
    begun: SignInFlow,
    query: URLSearchParams,
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  ): Promise<void> {
    const giveBack = await completions.take(strangerOf(request));
    try {
      const address = await client.complete(query, begun);
      const key = `${begun.team} ${address.toLowerCase()}`;
      await takeSlots({ limiter: signIns, policy: 'sign-ins', key, ownLimit: maxOfPerson, reply });
      const opened = await sessions.open({ verified: { address, teamSlug: begun.team } }, originOf(request));
      setSessionCookie(request, reply, { ...opened, isHttps });
    } finally {
      giveBack();
    }
  }

  async function complete(request: FastifyRequest, reply: FastifyReply) {
    setFlow(request, reply, { value: '', maxAgeSeconds: 0, isHttps });
    const query = new URLSearchParams(request.url.split('?')[1] ?? '');
    const begun = takeFlow(request, query);
    await countFailed({ signIns, request, reply }, () => signIn(begun, query, { request, reply }));
    return reply.redirect(begun.returnTo, 303);
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

function setFlow(
  request: FastifyRequest,
  reply: FastifyReply,
  flow: { value: string; maxAgeSeconds: number; isHttps: boolean },
): void {
  // Lax, because the provider's page leads back; the session's own cookie stays strict.
  reply.header('set-cookie', browserCookie(request, { name: flowCookie, sameSite: 'Lax', ...flow }));
}

function boundCompletions() {
  return createPermits(
    // Strangers of one address count as a team.
    {
      maxInAll: maxCompletions,
      maxPerTeam: maxOfAddress,
      waiting: { max: 500, maxPerTeam: 100, maxMs: 10_000 },
    },
    'Too many people sign in at once.',
  );
}

/** Makes handlers send their failures to the sign-in page. */
function refusalsTo(log: Log) {
  const warn = limitWarnings(log);
  return (handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      reply.header('referrer-policy', 'no-referrer');
      try {
        return await handler(request, reply);
      } catch (error) {
        const reason = reasonOf(error);
        const { message, name } = error as Error;
        warn({ request_id: request.id, reason, error: `${name}: ${message}` }, 'a sign-in was refused');
        return reply.redirect(`/sign-in?refused=${reason}`, 303);
      }
    };
}

function reasonOf(error: unknown): SignInRefusal {
  if (error instanceof SignInError) return error.reason;
  if (error instanceof AppError && error.code === 'invalid_key') return 'unknown_address';
  return 'unavailable';
}
