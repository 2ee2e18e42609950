import type { ErrorCode } from '@teammemory/errors/app-error.ts';
import { z } from 'zod';
import { httpAnswers } from '../http-error.ts';
import { instant, prose } from './answer-types.ts';

/** A problem answer (RFC 9457): one code, and the status that it has. */
export type ProblemSchema = z.ZodObject<
  z.ZodRawShape & { status: z.ZodLiteral<number>; code: z.ZodLiteral<ErrorCode> }
>;

const exampleRequestId = '4bd7c664-2f88-4e9b-83f0-0e63e8624e59';

const violations = z
  .array(
    z
      .object({
        pointer: prose('JSON Pointer into the request, or to the parameter by its name.'),
        detail: prose('What is wrong there.'),
      })
      .meta({ id: 'Violation' }),
  )
  .meta({ description: 'Every fault that was found.' });

/**
 * Returns the schema of the problem with a code. `extra` are its extension members (docs/contract.md, "Errors") and
 * `example` has a value for each; `id` and `description` are for problems that the code alone does not identify.
 */
export function problem(
  code: ErrorCode,
  extra: z.ZodRawShape = {},
  example: Record<string, unknown> = {},
  naming: { id?: string; description?: string } = {},
): ProblemSchema {
  const { status, title, explanation } = httpAnswers[code];
  const type = `/problems/${code}`;
  return z
    .object({
      type: z.literal(type).meta({ description: 'A page that explains the problem.' }),
      title: prose('The meaning of the code in a few words.'),
      status: z.literal(status),
      detail: prose('What is wrong, for people. The wording may change.'),
      code: z.literal(code).meta({ description: 'For programs. It never changes.' }),
      request_id: prose('The value of the header X-Request-Id.'),
      ...extra,
    })
    .meta({
      id: naming.id ?? problemName(code),
      description: naming.description ?? explanation,
      examples: [
        { type, title, status, detail: explanation, code, request_id: exampleRequestId, ...example },
      ],
    });
}

/** Returns the name of the schema of a code in the OpenAPI document. */
function problemName(code: ErrorCode): string {
  return `${code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Problem`;
}

/** Every problem that the public API sends, except those of a single operation. */
export const problems = {
  invalid_json: problem('invalid_json'),
  invalid_key: problem('invalid_key'),
  team_forbidden: problem('team_forbidden'),
  forbidden_tier: problem('forbidden_tier'),
  forbidden_access: problem('forbidden_access'),
  not_found: problem('not_found'),
  method_not_allowed: problem('method_not_allowed'),
  payload_too_large: problem('payload_too_large'),
  unsupported_media_type: problem('unsupported_media_type'),
  invalid_request: problem(
    'invalid_request',
    { errors: violations },
    { errors: [{ pointer: '/limit', detail: 'must be a positive whole number' }] },
  ),
  unknown_member: problem(
    'unknown_member',
    { errors: violations },
    { errors: [{ pointer: '/member', detail: 'must be a member of the team' }] },
  ),
  invalid_cursor: problem(
    'invalid_cursor',
    { errors: violations },
    { errors: [{ pointer: '/cursor', detail: 'was not issued for this list, team and tier' }] },
  ),
  rate_limited: problem('rate_limited'),
  daily_cap_exceeded: problem(
    'daily_cap_exceeded',
    {
      scope: z.enum(['member', 'team']).meta({ description: 'Whose cap is used up.' }),
      cap_usd: z.number().min(0).meta({ description: 'The cap, in US dollars a day.' }),
      spent_usd: z.number().min(0).meta({ description: 'Spent and reserved today, in US dollars.' }),
      reset_at: instant('When the next day begins, at 00:00 UTC.'),
    },
    { scope: 'member', cap_usd: 5, spent_usd: 4.9987, reset_at: '2026-11-22T00:00:00.000Z' },
  ),
  internal: problem('internal'),
  unavailable: problem('unavailable'),
} satisfies Partial<Record<ErrorCode, ProblemSchema>>;
