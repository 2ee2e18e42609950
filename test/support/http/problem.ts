import { expect } from 'vitest';

/** The statuses of docs/contract.md, "Errors". */
const statuses: Readonly<Record<string, number>> = {
  invalid_json: 400,
  invalid_key: 401,
  team_forbidden: 403,
  forbidden_tier: 403,
  forbidden_access: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  admin_tier: 422,
  contains_secret: 422,
  invalid_request: 422,
  unknown_member: 422,
  invalid_cursor: 422,
  rate_limited: 429,
  daily_cap_exceeded: 429,
  internal: 500,
  unavailable: 503,
};

/** Every code that a problem can have. */
export const problemCodes = Object.keys(statuses);

/** What a whole problem with a code looks like, for `toEqual`; some codes add members. */
export function problem(code: string) {
  return {
    type: `/problems/${code}`,
    title: expect.stringMatching(/\S/),
    status: statuses[code],
    detail: expect.stringMatching(/\S/),
    code,
    request_id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  };
}
