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
import {
  addresses,
  administratorToken,
  mongodbDatabase,
  pem,
  requiredMongodbUrl,
  signingKey,
  verificationKeys,
} from '@teammemory/process/setting-types.ts';
import { z } from 'zod';

/** Every setting of the query service in a process of its own; README.md lists them for people. */
const schema = z.object({
  HOST: text('127.0.0.1'),
  PORT: port(7104),
  METRICS_PORT: port(0),
  LOG_LEVEL: oneOf(logLevels, 'info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalUrl('http:', 'https:'),
  MONGODB_URL: requiredMongodbUrl(),
  MONGODB_DATABASE: mongodbDatabase(),
  VERIFICATION_KEYS: verificationKeys(),
  SIGNING_KEY: signingKey(),
  TMS_ADMIN_TOKEN: administratorToken(),
  TLS_CERTIFICATE: pem(),
  TLS_KEY: pem(),
  TLS_AUTHORITY: pem(),
  CONTENT_URL: addresses(),
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

/**
 * Reads the settings of this process.
 * @throws AppError `invalid_request` with one sentence for people.
 */
export function readQuerySettings(environment: Environment = process.env) {
  return readSettings(schema, environment);
}
