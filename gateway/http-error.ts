import type { AppError, DailyCap, ErrorCode, Violation } from '@teammemory/errors/app-error.ts';

/** Places named in one answer; a request can be wrong in more. */
export const maxViolations = 100;
/** A pointer of ours is a few words; one with a longer name in it is cut. */
const maxPointerCharacters = 256;
/** When to try again after `unavailable`. */
const unavailableRetryAfterSeconds = 1;

interface HttpAnswer {
  status: number;
  title: string;
  /** What happened and what to do about it, for the page below /problems. */
  explanation: string;
}

/**
 * The one table from our codes to HTTP (decisions §2). Codes that no HTTP
 * caller can cause stand here too, so that none is ever without an answer.
 */
export const httpAnswers: Readonly<Record<ErrorCode, HttpAnswer>> = {
  invalid_json: {
    status: 400,
    title: 'The body is not JSON',
    explanation: 'The request body could not be read as UTF-8 JSON. Nothing was stored.',
  },
  invalid_key: {
    status: 401,
    title: 'Invalid key',
    explanation:
      'Every request needs the header "Authorization: Bearer <key>" with a key that exists, has not expired and was not revoked. Ask an administrator for a new one.',
  },
  unauthenticated: {
    status: 401,
    title: 'Not authenticated',
    explanation: 'The call carried no valid credential.',
  },
  team_forbidden: {
    status: 403,
    title: 'Not your team',
    explanation:
      'The header X-Svc-Team must name the team that the key belongs to. A team that does not exist gets the same answer.',
  },
  forbidden_tier: {
    status: 403,
    title: 'Not for this tier',
    explanation: 'The endpoint, or the item, is for keys of tier team.',
  },
  permission_denied: {
    status: 403,
    title: 'Not allowed',
    explanation: 'The credential is good, but not for this.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    explanation: 'There is nothing here that this key may see.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    explanation: 'The path exists; the header Allow lists its methods.',
  },
  already_exists: {
    status: 409,
    title: 'Already there',
    explanation: 'Something with this name exists.',
  },
  conflict: {
    status: 409,
    title: 'Edited meanwhile',
    explanation:
      'The stored version is not the one that the edit was made from. Pull, merge and push again with the new base_checksum.',
  },
  payload_too_large: {
    status: 413,
    title: 'Body too large',
    explanation: 'The body is larger than the endpoint accepts. Send fewer items at once.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    explanation: 'Send the body as application/json, without a content encoding.',
  },
  admin_tier: {
    status: 422,
    title: 'Private content',
    explanation:
      'Content of tier admin (private, personal) is never stored. Correct the audience in the front matter. The other items of the batch were stored.',
  },
  invalid_request: {
    status: 422,
    title: 'Invalid request',
    explanation: 'The body or a parameter breaks a rule; the answer names each place.',
  },
  unknown_member: {
    status: 422,
    title: 'Unknown member',
    explanation: 'The member is not on the team of the key.',
  },
  invalid_cursor: {
    status: 422,
    title: 'Invalid cursor',
    explanation:
      'A cursor is good only for the list, team and tier that it was issued for. Start again without one, or with since.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many at once',
    explanation:
      'The key has used up a limit for this minute, or has sent too much that was refused. Retry-After says when to go on.',
  },
  daily_cap_exceeded: {
    status: 429,
    title: 'Daily cap reached',
    explanation:
      'What may be spent on questions today is used up. Retry-After says when the next day begins.',
  },
  quota_exceeded: {
    status: 422,
    title: 'No room left',
    explanation:
      'The team, or the member, has as much as is allowed. Remove what nobody needs, or ask the operator for a larger quota. In a push it is the code of one item; the others were stored.',
  },
  cancelled: {
    status: 503,
    title: 'Cancelled',
    explanation: 'The work was stopped before it was done. Try again.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    explanation: 'A fault of ours. The log has it under the request id of the answer.',
  },
  unimplemented: {
    status: 404,
    title: 'Not found',
    explanation: 'This service does not offer it.',
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    explanation: 'A part of the service cannot be reached right now. Retry-After says when to try again.',
  },
};

/** An RFC 9457 problem with our extension members. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ErrorCode;
  request_id: string;
  errors?: readonly Violation[];
  [extension: string]: unknown;
}

/** Makes the problem answer of an error; what is private in it stays behind. */
export function problemFrom(error: AppError, requestId: string): Problem {
  const { status, title } = httpAnswers[error.code];
  return {
    type: `/problems/${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    request_id: requestId,
    ...(error.violations.length === 0 ? {} : { errors: publicViolations(error) }),
    ...(error.dailyCap === undefined ? {} : capMembers(error.dailyCap)),
  };
}

/**
 * Violations as the answer lists them. One that came by RPC is a message, with members of its own that are nobody's
 * business; a pointer may hold what the client sent, and the answer must not grow with that.
 */
function publicViolations({ violations }: AppError): Violation[] {
  return violations
    .slice(0, maxViolations)
    .map(({ pointer, detail }) => ({ pointer: cutPointer(pointer), detail }));
}

function cutPointer(pointer: string): string {
  return pointer.length <= maxPointerCharacters
    ? pointer
    : pointer.slice(0, maxPointerCharacters).toWellFormed();
}

/** Whole seconds after which the caller may try again, for answers that say so; `now` is milliseconds since the epoch. */
export function retryAfterSeconds({ code, dailyCap }: AppError, now: number): number | undefined {
  if (dailyCap !== undefined) return Math.max(1, Math.ceil((dailyCap.resetAt - now) / 1000));
  return httpAnswers[code].status === 503 ? unavailableRetryAfterSeconds : undefined;
}

/** Amounts are whole micro-dollars, so as dollars they have at most six decimals. */
function capMembers({ scope, capMicroDollars, spentMicroDollars, resetAt }: DailyCap) {
  return {
    scope,
    cap_usd: capMicroDollars / 1_000_000,
    spent_usd: spentMicroDollars / 1_000_000,
    reset_at: new Date(resetAt).toISOString(),
  };
}
