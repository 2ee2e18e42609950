import type { RateLimiter } from '@teammemory/admission/rolling-window.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BodyBudget } from '../bodies/body-limits.ts';
import type { ReceivedBody } from '../bodies/read-body.ts';
import type { Callers } from '../caller.ts';
import { originOf as serviceOriginOf } from '../mcp/resource-metadata.ts';
import { createHostCheck } from '../mcp/trusted-host.ts';
import { refuseOtherMethods } from '../mount-operations.ts';
import { originOf, prepareStrangersBody } from '../request.ts';
import { requireSameOrigin } from '../session/same-origin.ts';
import type { AppGrant, Apps } from './apps.ts';
import { resourceFrom } from './authorization-request.ts';
import type { ClientDocuments } from './client-documents.ts';
import { consentHandler } from './consent.ts';
import {
  registrationPath,
  revocationPath,
  serverMetadata,
  serverMetadataPath,
  tokenPath,
} from './metadata.ts';
import { answerOAuthError, OAuthError } from './oauth-error.ts';
import { isRegisteredId, type RegisteredApps } from './registered-apps.ts';
import { registrationHandler } from './registration.ts';

const consentPath = '/oauth/consent';
/** A stranger holds room for a body for as long as any network needs at most. */
const bodyBounds = { maxBytes: 8 * 1024, maxValues: 200, maxLevels: 5, arrivalMs: 2_000 };
/** The kind of bodies that OAuth has: `name=value&…`. */
const formType = 'application/x-www-form-urlencoded';
/** Parameters of one request; more are nobody's honest request. */
const maxParameters = 20;

/**
 * Mounts the authorization server of `/mcp` (OAuth 2.1): its metadata, and what exchanges codes and refresh tokens. The page
 * on which a person decides is the dashboard's; it asks and decides at `POST /oauth/consent`.
 */
export function oauthRoutes(dependencies: {
  documents: ClientDocuments;
  /** Apps that register themselves; undefined: none may. */
  registered: RegisteredApps | undefined;
  apps: Apps;
  callers: Callers;
  signIns: RateLimiter;
  budget: BodyBudget;
  hosts: readonly string[];
  origins: readonly string[];
}) {
  const { apps, budget, documents, registered, signIns } = dependencies;
  const checkHost = createHostCheck(dependencies);
  const issuerOf = (request: FastifyRequest) =>
    serviceOriginOf(request, checkHost({ host: request.headers.host }));
  const findClient = (clientId: string, request: FastifyRequest) =>
    registered !== undefined && isRegisteredId(clientId)
      ? registered.find(clientId, originOf(request))
      : documents.find(clientId);

  /**
   * Exchanges a code or a refresh token for tokens. What fails is not counted for its address: hosted connectors send the
   * requests of many people from one, and a text that is none costs what a wrong key costs everywhere.
   */
  async function issue(request: FastifyRequest) {
    const form = readForm(request);
    const clientId = required(form, 'client_id');
    const named = form.getAll('resource');
    const resource = named.length === 0 ? undefined : resourceFrom(named, issuerOf(request));
    if (named.length > 0 && resource === undefined) {
      throw new OAuthError('invalid_target', 'resource is no endpoint of this service');
    }
    const grant = grantFrom(form);
    const app = { clientId, resource };
    return apps.issue(app, grant, originOf(request));
  }

  /** Disconnects an app (RFC 7009). A token that is none gets the same answer. */
  async function revoke(request: FastifyRequest, reply: FastifyReply) {
    const form = readForm(request);
    const [clientId, token] = [required(form, 'client_id'), required(form, 'token')];
    await apps.revoke(clientId, token, originOf(request));
    return reply.send();
  }

  type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  const orOAuthError =
    (mediaType: string, handler: Handler): Handler =>
    async (request, reply) => {
      try {
        const [sent] = (request.headers['content-type'] ?? '').toLowerCase().split(/ *;/, 1);
        if (sent !== mediaType) throw new OAuthError('invalid_request', `the body must be ${mediaType}`);
        return await handler(request, reply);
      } catch (thrown) {
        return answerOAuthError(thrown, reply);
      }
    };

  return async (app: FastifyInstance): Promise<void> => {
    for (const path of ['', '/mcp', '/mcp/:team']) {
      const url = `${serverMetadataPath}${path}`;
      app.get(url, async (request) => serverMetadata(issuerOf(request), registered !== undefined));
      refuseOtherMethods(app, url, ['GET', 'HEAD']);
    }
    const onStranger = async (request: FastifyRequest, reply: FastifyReply) => {
      checkHost({ host: request.headers.host });
      prepareStrangersBody(request, reply, { bounds: bodyBounds, budget });
    };
    app.register(async (scope) => {
      // Also bodies of a wrong kind are refused in the words of OAuth.
      scope.addContentTypeParser('*', async (request: FastifyRequest) => request.reading.read());
      const mount = (path: string, mediaType: string, handler: Handler) => {
        scope.post(path, { onRequest: onStranger, handler: orOAuthError(mediaType, handler) });
        refuseOtherMethods(scope, path, ['POST']);
      };
      mount(tokenPath, formType, issue);
      mount(revocationPath, formType, revoke);
      if (registered === undefined) return;
      mount(registrationPath, 'application/json', registrationHandler({ registered, signIns }));
    });
    app.register(async (scope) => {
      scope.addContentTypeParser('application/json', async (request: FastifyRequest) =>
        request.reading.read(),
      );
      const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
        requireSameOrigin(request);
        prepareStrangersBody(request, reply, { bounds: bodyBounds, budget });
      };
      scope.post(consentPath, {
        onRequest,
        handler: consentHandler({ ...dependencies, findClient, issuerOf }),
      });
      refuseOtherMethods(scope, consentPath, ['POST']);
    });
  };
}

/** @throws OAuthError `invalid_request`, `invalid_client` for a client with a secret. */
function readForm(request: FastifyRequest): URLSearchParams {
  if (request.headers.authorization !== undefined) {
    throw new OAuthError('invalid_client', 'clients have no secret here: send client_id in the body', 401);
  }
  const received = (request.body ?? undefined) as ReceivedBody | undefined;
  const form = new URLSearchParams(Buffer.from(received?.bytes ?? '').toString('utf8'));
  const names = [...form.keys()];
  if (names.length > maxParameters) throw new OAuthError('invalid_request', 'too many parameters');
  const repeated = names.find((name) => name !== 'resource' && form.getAll(name).length > 1);
  if (repeated !== undefined) throw new OAuthError('invalid_request', 'a parameter is repeated');
  return form;
}

function required(form: URLSearchParams, name: string): string {
  const value = form.get(name);
  if (value === null || value === '') throw new OAuthError('invalid_request', `${name} is missing`);
  return value;
}

/** @throws OAuthError `invalid_request`, `unsupported_grant_type`. */
function grantFrom(form: URLSearchParams): AppGrant {
  const type = required(form, 'grant_type');
  if (type === 'refresh_token') return { refreshToken: required(form, 'refresh_token') };
  if (type !== 'authorization_code') {
    throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
  }
  const codeVerifier = required(form, 'code_verifier');
  if (!/^[\w.~-]{43,128}$/.test(codeVerifier)) {
    throw new OAuthError('invalid_request', 'code_verifier must have 43 to 128 characters');
  }
  return { code: required(form, 'code'), redirectUri: required(form, 'redirect_uri'), codeVerifier };
}
