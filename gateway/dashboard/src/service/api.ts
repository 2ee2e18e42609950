import { isSignedOut, problemFromResponse } from './problem.ts';
import { session, sessionEnded } from './session.ts';

/** How long a request may take. */
const requestTimeoutMs = 20_000;

/**
 * Sends a request to /api/v1 as who is signed in and returns the JSON of its answer. `path` begins after /api/v1.
 * @throws Problem; what `fetch` throws if nothing answers.
 */
export async function api<Answer>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<Answer> {
  const deadline = AbortSignal.timeout(requestTimeoutMs);
  const response = await fetch(`/api/v1${path}`, {
    method,
    headers: { ...teamHeader(), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
  });
  if (!response.ok) {
    const problem = await problemFromResponse(response);
    if (isSignedOut(problem)) sessionEnded();
    throw problem;
  }
  return response.status === 204 ? (undefined as Answer) : response.json();
}

/** The header that every request to /api/v1 has. */
export function teamHeader(): Record<string, string> {
  return { 'x-svc-team': session.value?.team ?? '' };
}
