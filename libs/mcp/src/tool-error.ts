import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
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
  invalid_cursor: 'Call again without cursor.',
  daily_cap_exceeded: 'Use search and fetch, which cost nothing.',
  rate_limited: 'Do something else in the meantime.',
  invalid_key: 'The key is no longer valid. Tell the person you work for.',
};

/**
 * Returns a failure as the result of a tool, so that the model reads it and can correct itself; undefined for what is
 * neither a refusal nor a fault of the arguments.
 */
export function toolError(error: unknown): CallToolResult | undefined {
  if (error instanceof z.ZodError) return textError('invalid_request', describeArguments(error));
  if (!(error instanceof MemoryError)) return undefined;
  return textError(error.code, describeRefusal(error));
}

function textError(code: string, text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: `${code}: ${text}` }] };
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

/** Faults that are told of one call. */
const maxToldFaults = 5;

function describeArguments(error: z.ZodError): string {
  return error.issues
    .slice(0, maxToldFaults)
    .map(({ path, message }) => `${path.length === 0 ? 'the arguments' : path.join('.')}: ${message}`)
    .join('; ');
}
