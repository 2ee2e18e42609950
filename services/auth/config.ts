import { type Environment, readSettings } from '@teammemory/config/read-settings.ts';
import { oneOf, optionalUrl, port, text } from '@teammemory/config/setting-types.ts';
import { logLevels } from '@teammemory/log/log.ts';
import { serviceSettings } from '@teammemory/process/service-settings.ts';
import { auditRetentionDays, signingKey } from '@teammemory/process/setting-types.ts';
import { tlsFiles } from '@teammemory/process/tls-settings.ts';
import { z } from 'zod';
import type { AuthServiceOptions } from './service.ts';

const dayMs = 24 * 60 * 60 * 1_000;

/** The settings of the auth service wherever it runs. */
const authSettings = { AUDIT_RETENTION_DAYS: auditRetentionDays() };

/** Returns the options that these settings stand for. */
export function authOptions(
  settings: z.output<z.ZodObject<typeof authSettings>>,
): Pick<AuthServiceOptions, 'auditKeptMs'> {
  return { auditKeptMs: settings.AUDIT_RETENTION_DAYS * dayMs };
}

/** Every setting of the auth service in a process of its own; docs/configuration.md lists them for people. */
export const schema = z.object({
  HOST: text('127.0.0.1'),
  PORT: port(7102),
  METRICS_PORT: port(0),
  LOG_LEVEL: oneOf(logLevels, 'info'),
  ACCESS_LOG: oneOf(['on', 'off'], 'off'),
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalUrl('http:', 'https:'),
  ...serviceSettings,
  ...authSettings,
  SIGNING_KEY: signingKey(),
});

/**
 * Reads the settings of this process.
 * @throws AppError `invalid_request` with one sentence for people.
 */
export function readAuthSettings(environment: Environment = process.env) {
  return { ...readSettings(schema, environment), tlsFiles: tlsFiles(environment) };
}
