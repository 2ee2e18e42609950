import { type Environment, readSettings } from '@teammemory/config/read-settings.ts';
import { oneOf, optionalText, optionalUrl, text, wholeNumber } from '@teammemory/config/setting-types.ts';
import { openAnswerBounds, openAnswersSettings } from '@teammemory/process/open-answers-settings.ts';
import { serviceSettings } from '@teammemory/process/part-settings.ts';
import { addresses } from '@teammemory/process/setting-types.ts';
import { tlsFiles } from '@teammemory/process/tls-settings.ts';
import { z } from 'zod';
import { answerMarkups } from './domain/markup/answer-markup.ts';

/** For some million passages. */
const defaultIndexDiskMb = 4_096;

/** The settings of the query service wherever it runs. */
export const querySettings = {
  INDEX_DIR: optionalText(),
  INDEX_DISK_MB: wholeNumber({ minimum: 16, maximum: 1_048_576, default: defaultIndexDiskMb }),
  INDEX_REFRESH_SECONDS: wholeNumber({ minimum: 0, maximum: 3_600, default: 10 }),
  ...openAnswersSettings,
  ANSWER_MARKUP: oneOf(answerMarkups, 'inert'),
  DAILY_MEMBER_CAP_USD: text('5'),
  DAILY_TEAM_CAP_USD: text('50'),
  MODEL_PRICES: optionalText(),
  OPENAI_API_KEY: optionalText(),
  OPENAI_BASE_URL: optionalUrl('http:', 'https:'),
  OPENAI_MODEL: optionalText(),
  OPENAI_EMBEDDING_MODEL: optionalText(),
  OPENAI_EMBEDDING_BASE_URL: optionalUrl('http:', 'https:'),
  OPENAI_EMBEDDING_API_KEY: optionalText(),
};

/** Returns the options of the query service that these settings determine. */
export function queryOptions(settings: z.output<z.ZodObject<typeof querySettings>>) {
  return {
    indexDirectory: settings.INDEX_DIR,
    indexDiskMb: settings.INDEX_DISK_MB,
    indexRefreshSeconds: settings.INDEX_REFRESH_SECONDS,
    maxOpenAnswers: openAnswerBounds(settings),
    answerMarkup: settings.ANSWER_MARKUP,
    spending: {
      dailyMemberCapUsd: settings.DAILY_MEMBER_CAP_USD,
      dailyTeamCapUsd: settings.DAILY_TEAM_CAP_USD,
      modelPrices: settings.MODEL_PRICES,
    },
    model: {
      apiKey: settings.OPENAI_API_KEY,
      baseUrl: settings.OPENAI_BASE_URL,
      model: settings.OPENAI_MODEL,
    },
    embedding: {
      model: settings.OPENAI_EMBEDDING_MODEL,
      baseUrl: settings.OPENAI_EMBEDDING_BASE_URL,
      apiKey: settings.OPENAI_EMBEDDING_API_KEY,
    },
  };
}

/** Every setting of the query service in a process of its own; docs/configuration.md lists them for people. */
export const schema = z.object({
  ...serviceSettings(7104),
  CONTENT_URL: addresses(),
  ...querySettings,
});

/**
 * Reads the settings of this process.
 * @throws AppError `invalid_request` with one sentence for people.
 */
export function readQuerySettings(environment: Environment = process.env) {
  return { ...readSettings(schema, environment), tlsFiles: tlsFiles(environment) };
}
