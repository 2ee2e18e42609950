import { type Environment, readSettings } from '@teammemory/config/read-settings.ts';
import {
  oneOf,
  optionalText,
  optionalUrl,
  port,
  text,
  wholeNumber,
} from '@teammemory/config/setting-types.ts';
import { logLevels } from '@teammemory/log/log.ts';
import { administratorToken, mongodbDatabase, mongodbUrl } from '@teammemory/process/setting-types.ts';
import { z } from 'zod';

const mebibyte = 1024 * 1024;

/** Every setting of `npm start`; docs/configuration.md lists them for people, in this order. */
const schema = z.object({
  HOST: text('127.0.0.1'),
  PORT: port(8080),
  RPC_PORT: port(7100),
  METRICS_PORT: port(0),
  DATA_DIR: text('.data'),
  DEMO: oneOf(['on', 'off'], 'on'),
  LOG_LEVEL: oneOf(logLevels, 'info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalUrl('http:', 'https:'),
  MONGODB_URL: mongodbUrl(),
  MONGODB_DATABASE: mongodbDatabase(),
  REDIS_URL: optionalUrl('redis:', 'rediss:'),
  TMS_ADMIN_TOKEN: administratorToken(),
  MAX_BODY_BYTES: wholeNumber({ minimum: 1024, maximum: 64 * mebibyte, default: 8 * mebibyte }),
  ITEM_HISTORY: wholeNumber({ minimum: 0, maximum: 1_000, default: 20 }),
  ITEM_WRITES_PER_MINUTE: wholeNumber({ minimum: 1, maximum: 1_000_000, default: 60 }),
  SCANS_PER_MINUTE: wholeNumber({ minimum: 1, maximum: 1_000_000, default: 60 }),
  SNAPSHOTS_PER_MINUTE: wholeNumber({ minimum: 1, maximum: 1_000_000, default: 60 }),
  INDEX_MEMORY_MB: wholeNumber({ minimum: 16, maximum: 1_048_576, default: 512 }),
  DAILY_MEMBER_CAP_USD: text('5'),
  DAILY_TEAM_CAP_USD: text('50'),
  MODEL_PRICES: optionalText(),
  OPENAI_API_KEY: optionalText(),
  OPENAI_BASE_URL: optionalUrl('http:', 'https:'),
  OPENAI_MODEL: optionalText(),
  OPENAI_EMBEDDING_MODEL: optionalText(),
  OPENAI_EMBEDDING_BASE_URL: optionalUrl('http:', 'https:'),
  OPENAI_EMBEDDING_API_KEY: optionalText(),
});

export type Settings = z.output<typeof schema>;

/**
 * Reads the settings of the whole service in one process.
 * @throws AppError `invalid_request` with one sentence for people.
 */
export function readAllSettings(environment: Environment = process.env): Settings {
  return readSettings(schema, environment);
}
