import type { CallToolResult } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { quoted } from './framed-text.ts';
import { MemoryError } from './memory.ts';

/** What an agent can do about each refusal; the codes are those of docs/errors.md. */
const nextSteps: Readonly<Record<string, string>> = {
  not_found: 'Nothing with this id is visible to your key. Find the right id with search.',
  conflict: 'Fetch it again, put your change into that text, and push with its checksum as base_checksum.',
  forbidden_access:
    'This key may not do that. Do not try another way; tell the person you work for what you wanted to write.',
  forbidden_tier:
    'This key may not do that. A key of tier external writes items of tier external only, and none that the team holds.',
  admin_tier: 'Private text is never stored. Leave it out; do not change its audience to get it in.',
  contains_secret:
    'Write the text without it and say where it is kept. Do not let it through with tms: allow-secret unless the person you work for asks for that.',
  declined: 'Do not propose it again as it is; change what the reviewer objected to, or leave it.',
  invalid_cursor: 'Call again without cursor.',
  daily_cap_exceeded: 'Use search and fetch, which cost nothing.',
  rate_limited: 'Do something else in the meantime.',
  invalid_key: 'The key is no longer valid. Tell the person you work for.',
};

/**
 * Returns a refusal as the result of a tool, so that the model reads it and can correct itself; undefined for what is
 * none.
 */
export function toolError(error: unknown): CallToolResult | undefined {
  if (!(error instanceof MemoryError)) return undefined;
  return { isError: true, content: [{ type: 'text', text: `${error.code}: ${describeRefusal(error)}` }] };
}

/** Returns what was refused and why, and what to do next. */
export function describeRefusal(error: MemoryError): string {
  const { code, message, retryAfterSeconds, currentChecksum } = error;
  return [
    message,
    ...(currentChecksum === undefined ? [] : [`Its checksum is now ${currentChecksum}.`]),
    ...(nextSteps[code] === undefined ? [] : [nextSteps[code]]),
    ...(retryAfterSeconds === undefined ? [] : [`Try again after ${retryAfterSeconds} seconds.`]),
  ].join(' ');
}

/** Faults that are told of one call, and characters of a name that there is none of. */
const [maxToldFaults, maxNameLength] = [5, 60];

/** Returns what is wrong with arguments, as a part of a sentence. */
export function describeArguments(error: z.ZodError): string {
  return error.issues.slice(0, maxToldFaults).map(describeFault).join('; ');
}

function describeFault(issue: z.core.$ZodIssue): string {
  const place = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.slice(0, maxToldFaults).map((name) => quoted(name.slice(0, maxNameLength)));
    return `there is no ${place === '' ? '' : `${place}.`}${names.join(', ')}`;
  }
  return `${place === '' ? 'the arguments' : place}: ${issue.message.replace(/\.$/, '')}`;
}
