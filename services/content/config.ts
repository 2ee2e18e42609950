import { type Environment, readSettings } from '@teammemory/config/read-settings.ts';
import { oneOf, optionalUrl, port, text, wholeNumber } from '@teammemory/config/setting-types.ts';
import { logLevels } from '@teammemory/log/log.ts';
import { serviceSettings } from '@teammemory/process/service-settings.ts';
import { z } from 'zod';

/** The settings of the content service wherever it runs. */
export const contentSettings = {
  ITEM_HISTORY: wholeNumber({ minimum: 0, maximum: 1_000, default: 20 }),
};

/** Every setting of the content service in a process of its own; README.md lists them for people. */
export const schema = z.object({
  HOST: text('127.0.0.1'),
  PORT: port(7101),
  METRICS_PORT: port(0),
  LOG_LEVEL: oneOf(logLevels, 'info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalUrl('http:', 'https:'),
  ...serviceSettings,
  ...contentSettings,
});

/**
 * Reads the settings of this process.
 * @throws AppError `invalid_request` with one sentence for people.
 */
export function readContentSettings(environment: Environment = process.env) {
  return readSettings(schema, environment);
}
