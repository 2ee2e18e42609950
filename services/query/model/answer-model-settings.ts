import { AppError } from '@teammemory/errors/app-error.ts';
import { modelServer } from './model-server.ts';

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
 * How to reach the model that was configured; undefined where there is neither
 * a key nor an address. No model is taken for granted: it costs money, and only
 * its name says how much.
 *
 * @throws AppError `invalid_request` with one sentence for people.
 */
export function answerModelSettings(given: GivenModelSettings): AnswerModelSettings | undefined {
  const { apiKey, baseUrl, model } = given;
  if (apiKey === undefined && baseUrl === undefined) return undefined;
  const server = modelServer({ baseUrl, apiKey }, 'OPENAI');
  if (model !== undefined) return { ...server, model };
  const message = 'Bad setting: OPENAI_MODEL must be set where OPENAI_API_KEY or OPENAI_BASE_URL is.';
  throw new AppError('invalid_request', message);
}
