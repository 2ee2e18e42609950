import type { RateLimiter } from '@teammemory/admission/rolling-window.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { BodyBudget } from '../bodies/body-limits.ts';
import { parseJsonBody } from '../bodies/json-body.ts';
import type { ReceivedBody } from '../bodies/read-body.ts';
import type { Callers } from '../caller.ts';
import { refuseOtherMethods } from '../mount-operations.ts';
import { takeSlots } from '../rate-limit/http-limits.ts';
import { type KeyCaller, originOf, prepareStrangersBody } from '../request.ts';
import { countFailed } from './failed-sign-ins.ts';
import { type InvitationAnswer, invitationAnswer } from './invitation.ts';
import { requireSameOrigin } from './same-origin.ts';
import { clearSessionCookies, sessionOf, setSessionCookie } from './session-cookie.ts';
import type { OpenedSession, Sessions, SignInCredential } from './sessions.ts';

const path = '/session';
const invitationPath = '/session/invitation';
/**
 * A key, or the token of a link or an invitation, and names. A stranger holds room for it for as long as any network needs
 * at most.
 */
const bodyBounds = { maxBytes: 4 * 1024, maxValues: 10, maxLevels: 2, arrivalMs: 2_000 };
/** Sessions that one key opens in a minute: fewer than the auth service keeps of it. */
export const signInsPerMinute = 60;
const credentialText = z.string().min(1).max(256);
const signInBody = z.union([
  z.strictObject({ key: credentialText }),
  z.strictObject({ sign_in_token: credentialText }),
  z.strictObject({ invitation_token: credentialText, member: credentialText }),
]);
const invitationBody = z.strictObject({ invitation_token: credentialText });

/**
 * Mounts the sign-in of the dashboard: `GET /session` says who is signed in, `POST /session` exchanges a key or the token
 * of a link for a session, `DELETE /session` ends it, or with `?everywhere=true` all sessions of this member.
 * `POST /session/invitation` says what an invitation gives, and `POST /session` takes it: with the session it answers
 * the new key, once.
 */
export function sessionRoutes({
  sessions,
  callers,
  signIns,
  budget,
  isHttps,
  hasOidc,
}: {
  sessions: Sessions;
  callers: Callers;
  signIns: RateLimiter;
  budget: BodyBudget;
  /** Whether browsers reach the service over HTTPS. */
  isHttps: boolean;
  /** Whether people can sign in through the organisation's identity provider. */
  hasOidc: boolean;
}) {
  const answer = (caller: KeyCaller | undefined) => ({
    session: caller === undefined ? null : sessionAnswer(caller),
    sign_in: { oidc: hasOidc },
  });

  async function readSession(request: FastifyRequest, reply: FastifyReply) {
    const session = sessionOf(request);
    if (session === undefined) return answer(undefined);
    try {
      return answer(await sessions.callerOf(session));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid_key') throw error;
      clearSessionCookies(reply);
      return answer(undefined);
    }
  }

  async function openSession(request: FastifyRequest, reply: FastifyReply) {
    const credential = await readCredential(request);
    if ('key' in credential) await countSignIn(credential.key, request, reply);
    const open = () => sessions.open(credential, originOf(request));
    const opened: OpenedSession =
      'invitation_token' in credential ? await countFailed({ signIns, request, reply }, open) : await open();
    const { text, maxAgeSeconds, secretKey } = opened;
    setSessionCookie(request, reply, { text, maxAgeSeconds, isHttps });
    const answered = answer(opened.caller);
    return secretKey === '' ? answered : { ...answered, key: secretKey };
  }

  async function readInvitation(request: FastifyRequest, reply: FastifyReply): Promise<InvitationAnswer> {
    const body = await parseJsonBody((request.body ?? undefined) as ReceivedBody | undefined);
    const parsed = invitationBody.safeParse(body);
    if (!parsed.success) {
      throw new AppError('invalid_request', 'The body must have an invitation_token, and nothing else.');
    }
    const { invitation_token: token } = parsed.data;
    const find = () => sessions.findInvitation(token, originOf(request));
    return invitationAnswer(await countFailed({ signIns, request, reply }, find));
  }

  /** Counts for a key that is valid, so that nobody uses up the sign-ins of others. Links are counted when they are made. */
  async function countSignIn(text: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { keyId: key } = await callers.authenticate(`Bearer ${text}`, originOf(request));
    await takeSlots({ limiter: signIns, policy: 'sign-ins', key, reply });
  }

  async function endSession(request: FastifyRequest, reply: FastifyReply) {
    const session = sessionOf(request);
    clearSessionCookies(reply);
    if (session === undefined) return reply.code(204).send();
    const { everywhere } = request.query as { everywhere?: unknown };
    await (everywhere === 'true' ? sessions.endAll : sessions.end)(session, originOf(request));
    return reply.code(204).send();
  }

  return async (app: FastifyInstance): Promise<void> => {
    app.addContentTypeParser('application/json', async (request: FastifyRequest) => request.reading.read());
    app.get(path, { onRequest: async (request) => requireSameOrigin(request), handler: readSession });
    const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
      requireSameOrigin(request);
      prepareStrangersBody(request, reply, { bounds: bodyBounds, budget });
    };
    app.post(path, { onRequest, handler: openSession });
    app.post(invitationPath, { onRequest, handler: readInvitation });
    app.delete(path, { onRequest: async (request) => requireSameOrigin(request), handler: endSession });
    refuseOtherMethods(app, path, ['GET', 'HEAD', 'POST', 'DELETE']);
    refuseOtherMethods(app, invitationPath, ['POST']);
  };
}

/** @throws AppError `invalid_json`, `invalid_request`. */
async function readCredential(request: FastifyRequest): Promise<SignInCredential> {
  const body = await parseJsonBody((request.body ?? undefined) as ReceivedBody | undefined);
  const parsed = signInBody.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new AppError(
    'invalid_request',
    'The body must have a key, a sign_in_token, or an invitation_token and a member, and nothing else.',
  );
}

function sessionAnswer(caller: KeyCaller) {
  const { teamSlug, memberHandle, tier, access, keyId, expiresAtMs, isTeamAdministrator } = caller;
  return {
    team: teamSlug,
    member: memberHandle,
    role: isTeamAdministrator ? 'admin' : 'member',
    tier,
    access,
    key_id: keyId,
    expires_at: new Date(expiresAtMs ?? 0).toISOString(),
  };
}
