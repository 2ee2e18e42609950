import { OpenAI } from 'openai';
import type { ModelCall } from './model-call.ts';
import { type ModelServer, openaiUrl } from './model-settings.ts';

/** The library wants a key even where none is sent. */
const noKey = 'none';
/** It would take all of these from the environment. */
const notFromEnvironment = { adminAPIKey: null, organization: null, project: null, webhookSecret: null };

/**
 * Returns a client of a model server for one call. It does not repeat a call:
 * each one may be charged for, so it is repeated only where its cost is
 * reserved. Its time limit is the signal of the call.
 */
export function openaiClient({ apiKey = noKey, baseUrl = openaiUrl }: ModelServer, call: ModelCall): OpenAI {
  return new OpenAI({
    ...notFromEnvironment,
    apiKey,
    baseURL: baseUrl,
    fetch: call.fetch,
    maxRetries: 0,
    logLevel: 'off',
  });
}
