import type { RateLimiter } from '@teammemory/admission/rolling-window.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import { type Access, accesses } from '@teammemory/vocabulary/access.ts';
import { tiers } from '@teammemory/vocabulary/tier.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { parseJsonBody } from '../bodies/json-body.ts';
import type { ReceivedBody } from '../bodies/read-body.ts';
import type { Callers } from '../caller.ts';
import { takeSlots } from '../rate-limit/http-limits.ts';
import { type KeyCaller, originOf } from '../request.ts';
import { sessionOf } from '../session/session-cookie.ts';
import { type Apps, accessesUpTo } from './apps.ts';
import {
  type AuthorizationRequest,
  maxRequestCharacters,
  readAuthorizationRequest,
} from './authorization-request.ts';
import type { ClientDocument } from './client-documents.ts';
import { isLoopback } from './redirect-address.ts';

const daySeconds = 24 * 60 * 60;
/** For how many days a person can let an app act. */
const lifetimesDays = [1, 7, 30, 90] as const;
/** Of one key in any 60 seconds: requests, each of which can have this gateway fetch a document, and apps that are connected. */
const [maxConsents, maxConnected] = [60, 20];
/** Slugs and handles are shorter. */
const maxNameCharacters = 100;

const consentBody = z.strictObject({
  request: z.string().max(maxRequestCharacters),
  decision: z
    .union([
      z.literal('decline'),
      z.strictObject({
        access: z.enum(accesses),
        days: z.literal(lifetimesDays),
        // Whom the page named: in the meantime somebody else may have signed in with the same browser.
        team: z.string().max(maxNameCharacters),
        member: z.string().max(maxNameCharacters),
        tier: z.enum(tiers),
      }),
    ])
    .optional(),
});

/** The app that asks. */
interface AskingClient {
  /** The host of the app's document: the only thing about the app that is proven. Null: the app registered itself. */
  host: string | null;
  name: string | null;
  /** Where the answer is sent: a host, or null for a program on the person's own machine. */
  redirect_host: string | null;
}

/** Where the consent page sends the browser, why it does so only when the person wants it, or what it tells of a request. */
export type ConsentAnswer =
  | { location: string }
  | { client: AskingClient; refused: string; location: string }
  | {
      client: AskingClient;
      resource: string;
      team: string;
      member: string;
      tier: 'team' | 'external';
      /** What can be given, from least to most: what the app asks for and the person's own key may. */
      access: Access[];
      days: readonly number[];
    };

/**
 * Handles `POST /oauth/consent`, which the consent page calls: without a decision it says what an app asks for, with one it
 * says where the browser is sent. Only a page of this origin with a session gets here, so nobody else's page can decide.
 */
export function consentHandler({
  findClient,
  apps,
  callers,
  signIns,
  issuerOf,
}: {
  findClient(clientId: string, request: FastifyRequest): Promise<ClientDocument>;
  apps: Apps;
  callers: Callers;
  signIns: RateLimiter;
  issuerOf(request: FastifyRequest): string;
}) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<ConsentAnswer> => {
    const session = sessionOf(request);
    if (session === undefined) throw new AppError('invalid_key', 'Nobody is signed in.');
    const caller = await callers.authenticateSession(session, originOf(request));
    const { request: query, decision } = await readBody(request);
    const key = `consents of ${caller.keyId}`;
    await takeSlots({ limiter: signIns, policy: 'sign-ins', key, ownLimit: maxConsents, reply });
    const asked = await readAuthorizationRequest(query, {
      findClient: (clientId) => findClient(clientId, request),
      issuer: issuerOf(request),
    });
    if ('refused' in asked) {
      return { client: clientFrom(asked), refused: asked.refused, location: asked.location };
    }
    if (isOfOtherTeam(asked, caller)) {
      // Not told to the app, which would learn the team of whoever opens its link.
      throw new AppError('invalid_request', 'The app asks for a team that you are not signed in to.');
    }
    if (decision === undefined) return offer(asked, caller);
    if (decision === 'decline') return { location: asked.answer({ error: 'access_denied' }) };
    const { access, days, ...shown } = decision;
    const { teamSlug: team, memberHandle: member, tier } = caller;
    if (shown.team !== team || shown.member !== member || shown.tier !== tier) {
      throw new AppError('conflict', 'You are signed in as somebody else now. Load this page again.');
    }
    if (!accessesUpTo(asked.access).includes(access)) {
      throw new AppError('invalid_request', 'The app did not ask for this access.');
    }
    const lifetimeSeconds = days * daySeconds;
    const connected = `apps of ${caller.keyId}`;
    await takeSlots({ limiter: signIns, policy: 'sign-ins', key: connected, ownLimit: maxConnected, reply });
    const code = await apps.connect({ ...asked, access, lifetimeSeconds }, caller, originOf(request));
    return { location: asked.answer({ code }) };
  };
}

/** Whether a request is for the endpoint of a team that is not the caller's. */
function isOfOtherTeam({ resource }: AuthorizationRequest, { teamSlug }: KeyCaller): boolean {
  const team = /\/mcp\/([^/]+)$/.exec(resource)?.[1];
  return team !== undefined && team !== teamSlug;
}

function clientFrom({
  client: { host, name },
  redirectUri,
}: Pick<AuthorizationRequest, 'client' | 'redirectUri'>): AskingClient {
  const redirect = new URL(redirectUri);
  return { host, name: name ?? null, redirect_host: isLoopback(redirect) ? null : redirect.host };
}

function offer(asked: AuthorizationRequest, caller: KeyCaller): ConsentAnswer {
  const { resource, access } = asked;
  const own = accessesUpTo(caller.access);
  return {
    client: clientFrom(asked),
    resource,
    team: caller.teamSlug,
    member: caller.memberHandle,
    tier: caller.tier,
    access: accessesUpTo(access).filter((each) => own.includes(each)),
    days: lifetimesDays,
  };
}

/** @throws AppError `invalid_json`, `invalid_request`. */
async function readBody(request: FastifyRequest): Promise<z.output<typeof consentBody>> {
  const parsed = consentBody.safeParse(
    await parseJsonBody((request.body ?? undefined) as ReceivedBody | undefined),
  );
  if (parsed.success) return parsed.data;
  throw new AppError(
    'invalid_request',
    'The body must have a request of at most 4,096 characters, and may have a decision.',
  );
}
