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
  MONGODB_URL: optionalUrl('mongodb:', 'mongodb+srv:'),
  MONGODB_DATABASE: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,63}$/, 'must be 1 to 63 characters of A-Z, a-z, 0-9, _ and -')
    .default('team_memory'),
  TMS_ADMIN_TOKEN: optionalText().refine(
    (token) => token === undefined || /^[\x21-\x7e]{32,256}$/.test(token),
    {
      error: 'must be 32 to 256 visible ASCII characters',
    },
  ),
  MAX_BODY_BYTES: wholeNumber({ minimum: 1024, maximum: 64 * mebibyte, default: 8 * mebibyte }),
  ITEM_HISTORY: wholeNumber({ minimum: 0, maximum: 1_000, default: 20 }),
  ITEM_WRITES_PER_MINUTE: wholeNumber({ minimum: 1, maximum: 1_000_000, default: 60 }),
  SCANS_PER_MINUTE: wholeNumber({ minimum: 1, maximum: 1_000_000, default: 60 }),
  SNAPSHOTS_PER_MINUTE: wholeNumber({ minimum: 1, maximum: 1_000_000, default: 60 }),
  INDEX_MEMORY_MB: wholeNumber({ minimum: 16, maximum: 1_048_576, default: 512 }),
});

export type Settings = z.output<typeof schema>;

/**
 * Reads the settings of the whole service in one process.
 * @throws AppError `invalid_request` with one sentence for people.
 */
export function readAllSettings(environment: Environment = process.env): Settings {
  return readSettings(schema, environment);
}
