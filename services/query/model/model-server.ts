import { AppError } from '@teammemory/errors/app-error.ts';

/** Where a model is asked for unless a setting says otherwise. */
export const openaiUrl = 'https://api.openai.com/v1';

/** Where a model server is, undefined for OpenAI's own, and the key that it wants, if any. */
export interface ModelServer {
  baseUrl: string | undefined;
  apiKey: string | undefined;
}

/**
 * A model server as the settings `<prefix>_BASE_URL` and `<prefix>_API_KEY`
 * gave it, the address without what no path can be added to: slashes at its end
 * and blanks around it.
 * @throws AppError `invalid_request` with one sentence for people.
 */
export function modelServer(
  { baseUrl, apiKey }: ModelServer,
  prefix: 'OPENAI' | 'OPENAI_EMBEDDING',
): ModelServer {
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    throw bad(`${prefix}_API_KEY must be visible ASCII`);
  if (baseUrl === undefined) return { baseUrl, apiKey };
  const { origin, pathname, username, password, search, hash } = new URL(baseUrl);
  if (username !== '' || password !== '') throw bad(`${prefix}_BASE_URL must not have a user or password`);
  if (search !== '' || hash !== '') throw bad(`${prefix}_BASE_URL must not have a query or fragment`);
  return { baseUrl: origin + pathname.replace(/\/+$/, ''), apiKey };
}

function bad(what: string): AppError {
  return new AppError('invalid_request', `Bad setting: ${what}.`);
}
