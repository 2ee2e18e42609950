import type { AppError, DailyCap, ErrorCode, Violation } from '@teammemory/errors/app-error.ts';

/** Faults listed in one answer; a request can have more. */
export const maxViolations = 100;
/** Our own pointers are a few words long; one that contains a longer name of the client is cut. */
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
 * The one table from our codes to HTTP (docs/contract.md, "Errors"). It includes
 * codes that no HTTP caller can cause, so that every code has an answer.
 */
export const httpAnswers: Readonly<Record<ErrorCode, HttpAnswer>> = {
  invalid_json: {
    status: 400,
    title: 'The body is not JSON',
    explanation: 'The request body is not valid UTF-8 JSON. Nothing was stored.',
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
    explanation: 'This endpoint or item requires a key of tier team.',
  },
  forbidden_access: {
    status: 403,
    title: 'Not for this key',
    explanation:
      'The access of the key does not allow this. A key with access read changes nothing; one with access own changes and removes only items that its member wrote last. Ask an administrator for a key with more access. In a push this can be the code of a single item.',
  },
  forbidden_origin: {
    status: 403,
    title: 'Not from this address',
    explanation:
      'Requests to /mcp must be sent to an address that the operator listed in MCP_HOSTS, and from a web page only if its origin is listed in CORS_ORIGINS. IP addresses and localhost need not be listed. A session of the dashboard is accepted from pages of this service only.',
  },
  permission_denied: {
    status: 403,
    title: 'Not allowed',
    explanation: 'The credential is valid but does not allow this call.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    explanation: 'Nothing here is visible to this key.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    explanation:
      'The path does not support this method. The header Allow lists the methods that it supports.',
  },
  already_exists: {
    status: 409,
    title: 'Already exists',
    explanation: 'Something with this name already exists.',
  },
  conflict: {
    status: 409,
    title: 'Edit conflict',
    explanation:
      'The stored version is not the one that base_checksum names. Pull, merge, and try again with the new base_checksum.',
  },
  payload_too_large: {
    status: 413,
    title: 'Body too large',
    explanation: 'The body is larger than the endpoint accepts. Send fewer items at once.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    explanation: 'Send the body as application/json, with the content encoding gzip or zstd or with none.',
  },
  admin_tier: {
    status: 422,
    title: 'Private content',
    explanation:
      'Content of tier admin (private, personal) is never stored. Correct the audience in the front matter. The other items of the batch were stored.',
  },
  contains_secret: {
    status: 422,
    title: 'Credentials in the text',
    explanation:
      'The text has a password, key or token; the detail names lines and kinds. Take it out and replace it where it is used, because others may have seen it. Front matter with `tms: allow-secret` lets an item through. In a push this is the code of a single item; the other items were stored.',
  },
  invalid_request: {
    status: 422,
    title: 'Invalid request',
    explanation: 'The body or a parameter breaks a rule. The answer lists each fault and where it is.',
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
      'A cursor is valid only for the list, team and tier that it was issued for. Start again without a cursor, or with since.',
  },
  rate_limited: {
    status: 429,
    title: 'Rate limit reached',
    explanation:
      'The key reached a limit for this minute, or sent too many requests that were refused. Retry-After says when to try again.',
  },
  daily_cap_exceeded: {
    status: 429,
    title: 'Daily cap reached',
    explanation:
      'The amount that may be spent on questions today is used up. Retry-After says when the next day begins.',
  },
  quota_exceeded: {
    status: 422,
    title: 'Quota reached',
    explanation:
      'The team or the member has reached a quota. Delete what is no longer needed, or ask the operator for a larger quota. In a push this is the code of a single item; the other items were stored.',
  },
  declined: {
    status: 422,
    title: 'Declined before',
    explanation:
      'A reviewer declined the same text of this member in the last 90 days; the detail says why. Change it to propose it again. This is the code of a single item of a push; the other items were proposed.',
  },
  cancelled: {
    status: 503,
    title: 'Cancelled',
    explanation: 'The request was stopped before it finished. Try again.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    explanation: 'The service failed. Its log has the details under the request id of this answer.',
  },
  unimplemented: {
    status: 404,
    title: 'Not found',
    explanation: 'This service does not offer this call.',
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    explanation:
      'A part of the service cannot be reached right now, or its disk is full, which the detail says. Retry-After says when to try again.',
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

/** Returns the problem that is sent for an error. It contains nothing private. */
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
    ...(error.currentChecksum === undefined ? {} : { current_checksum: error.currentChecksum }),
  };
}

/**
 * Returns the violations as the answer lists them. One that came by RPC is a protobuf message with internal members,
 * which are left out. A pointer may contain what the client sent, so it is cut: the answer must not grow with the request.
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

/** Returns the whole seconds for Retry-After, or undefined for answers without it; `now` is milliseconds since the epoch. */
export function retryAfterSeconds({ code, dailyCap }: AppError, now: number): number | undefined {
  if (dailyCap !== undefined) return Math.max(1, Math.ceil((dailyCap.resetAt - now) / 1000));
  return httpAnswers[code].status === 503 ? unavailableRetryAfterSeconds : undefined;
}

/** Amounts are whole micro-dollars, so in dollars they have at most six decimals. */
function capMembers({ scope, capMicroDollars, spentMicroDollars, resetAt }: DailyCap) {
  return {
    scope,
    cap_usd: capMicroDollars / 1_000_000,
    spent_usd: spentMicroDollars / 1_000_000,
    reset_at: new Date(resetAt).toISOString(),
  };
}
