import { AppError } from '@teammemory/errors/app-error.ts';
import { type ModelServer, modelServer } from './model-server.ts';

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
 * How to reach the embedding model that was configured; undefined where there
 * is none. Without an address of its own it is at that of the model that
 * writes (`shared`), with the same key. With one, it gets no key but its own:
 * a key is not to be shown to another server.
 *
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
