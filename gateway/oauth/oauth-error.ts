import { type AppError, toAppError } from '@teammemory/errors/app-error.ts';
import type { FastifyReply } from 'fastify';

/** A refusal in the words of OAuth (RFC 6749, 5.2), which clients read. */
export class OAuthError extends Error {
  readonly error: string;
  readonly status: number;

  constructor(error: string, description: string, status = 400) {
    super(description);
    this.name = 'OAuthError';
    this.error = error;
    this.status = status;
  }
}

/**
 * Returns the reply to a refused request in OAuth's own form. Throws any other error again, such as an outage, which gets
 * the answer that it gets everywhere.
 */
export function answerOAuthError(thrown: unknown, reply: FastifyReply): FastifyReply {
  const refusal = thrown instanceof OAuthError ? thrown : refusalFrom(toAppError(thrown));
  return reply
    .code(refusal.status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ error: refusal.error, error_description: refusal.message }));
}

function refusalFrom(error: AppError): OAuthError {
  if (error.code === 'invalid_key') return new OAuthError('invalid_grant', error.message);
  if (error.code === 'invalid_request' || error.code === 'invalid_json') {
    return new OAuthError('invalid_request', error.message);
  }
  throw error;
}
