import { timestampMs } from '@bufbuild/protobuf/wkt';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { takeSlots } from '../rate-limit/http-limits.ts';
import { originOf } from '../request.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import type { SignInLink } from './contract.ts';

/** POST /api/v1/sign-in-links: a link with which a browser signs in as the holder of the key. */
export function createSignInLink({ clients, signInLinks }: RouteDependencies) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { caller } = request;
    // A link opens another session of 12 hours, so whoever got hold of a session could go on for ever.
    if (request.headers.authorization === undefined) {
      throw new AppError('invalid_key', 'Sign-in links are made with a key, and not with a session.');
    }
    await takeSlots({ limiter: signInLinks, policy: 'sign-in-links', key: caller.keyId, reply });
    const options = await clients.unary('auth', { caller, ...originOf(request) });
    const link = await clients.auth.createSignInLink({}, options);
    if (link.expiresAt === undefined) throw new AppError('internal', 'The link has no expiry.');
    return reply.code(201).send({
      sign_in_token: link.signInToken,
      expires_at: new Date(timestampMs(link.expiresAt)).toISOString(),
    } satisfies SignInLink);
  };
}
