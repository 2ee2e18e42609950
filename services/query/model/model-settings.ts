import { AppError } from '@teammemory/errors/app-error.ts';

/** Address of the model server unless a setting names another. */
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

/** The settings of the model that writes answers, as they were given. */
export interface GivenModelSettings {
  /** OPENAI_API_KEY: sent as a bearer token; some servers of one's own need none. */
  apiKey: string | undefined;
  /** OPENAI_BASE_URL: address of a server that speaks the OpenAI API, with its version path; by default OpenAI's own. */
  baseUrl: string | undefined;
  /** OPENAI_MODEL: its name, as the server knows it and as prices are listed under. */
  model: string | undefined;
}

/** How to reach a model. */
export type AnswerModelSettings = GivenModelSettings & { model: string };

/**
 * Returns how to reach the configured model; undefined without a key and an address. There is no default model: a model
 * costs money, and its price depends on its name.
 * @throws AppError `invalid_request` with one sentence for people.
 */
export function answerModelSettings(given: GivenModelSettings): AnswerModelSettings | undefined {
  const { apiKey, baseUrl, model } = given;
  if (apiKey === undefined && baseUrl === undefined) return undefined;
  const server = modelServer({ baseUrl, apiKey }, 'OPENAI');
  if (model !== undefined) return { ...server, model };
  throw bad('OPENAI_MODEL must be set where OPENAI_API_KEY or OPENAI_BASE_URL is');
}

/** The settings of the model that embeds passages and questions, as they were given. */
export interface GivenEmbeddingSettings {
  /** OPENAI_EMBEDDING_MODEL: its name, as the server knows it and as prices are listed under. */
  model: string | undefined;
  /** OPENAI_EMBEDDING_BASE_URL: its server, where that is not the one of the model that writes. */
  baseUrl: string | undefined;
  /** OPENAI_EMBEDDING_API_KEY: the key of that server, should it want one. */
  apiKey: string | undefined;
}

/** How to reach a model. */
export type EmbeddingModelSettings = ModelServer & { model: string };

/**
 * Returns how to reach the configured embedding model; undefined if there is none. Without an address of its own, it
 * uses address and key of the model that writes (`shared`). With one, it gets only its own key, so that no key is sent
 * to another server.
 * @throws AppError `invalid_request` with one sentence for people.
 */
export function embeddingModelSettings(
  given: GivenEmbeddingSettings,
  shared: ModelServer,
): EmbeddingModelSettings | undefined {
  const { model, baseUrl, apiKey } = given;
  if (model === undefined) {
    if (baseUrl === undefined && apiKey === undefined) return undefined;
    throw bad(
      'OPENAI_EMBEDDING_MODEL must be set where OPENAI_EMBEDDING_BASE_URL or OPENAI_EMBEDDING_API_KEY is',
    );
  }
  if (baseUrl === undefined && apiKey !== undefined)
    throw bad('OPENAI_EMBEDDING_BASE_URL must be set where OPENAI_EMBEDDING_API_KEY is');
  const server =
    baseUrl === undefined
      ? modelServer(shared, 'OPENAI')
      : modelServer({ baseUrl, apiKey }, 'OPENAI_EMBEDDING');
  if (server.baseUrl === undefined && server.apiKey === undefined)
    throw bad(
      'OPENAI_EMBEDDING_BASE_URL, OPENAI_BASE_URL or OPENAI_API_KEY must be set where OPENAI_EMBEDDING_MODEL is',
    );
  return { model, ...server };
}

function bad(what: string): AppError {
  return new AppError('invalid_request', `Bad setting: ${what}.`);
}
