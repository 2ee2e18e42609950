import { type Environment, readSettings } from '@teammemory/config/read-settings.ts';
import { oneOf, optionalUrl, port, text } from '@teammemory/config/setting-types.ts';
import { logLevels } from '@teammemory/log/log.ts';
import { serviceSettings } from '@teammemory/process/service-settings.ts';
import { addresses, signingKey } from '@teammemory/process/setting-types.ts';
import { tlsFiles } from '@teammemory/process/tls-settings.ts';
import { z } from 'zod';

/** Every setting of the analytics service in a process of its own; docs/configuration.md lists them for people. */
export const schema = z.object({
  HOST: text('127.0.0.1'),
  PORT: port(7103),
  METRICS_PORT: port(0),
  LOG_LEVEL: oneOf(logLevels, 'info'),
  ACCESS_LOG: oneOf(['on', 'off'], 'off'),
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalUrl('http:', 'https:'),
  ...serviceSettings,
  SIGNING_KEY: signingKey(),
  AUTH_URL: addresses(),
});

/**
 * Reads the settings of this process.
 * @throws AppError `invalid_request` with one sentence for people.
 */
export function readAnalyticsSettings(environment: Environment = process.env) {
  return { ...readSettings(schema, environment), tlsFiles: tlsFiles(environment) };
}
