import { type Environment, readSettings } from '@teammemory/config/read-settings.ts';
import { serviceSettings } from '@teammemory/process/part-settings.ts';
import { auditRetentionDays } from '@teammemory/process/setting-types.ts';
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
  ...serviceSettings(7102),
  ...authSettings,
});

/**
 * Reads the settings of this process.
 * @throws AppError `invalid_request` with one sentence for people.
 */
export function readAuthSettings(environment: Environment = process.env) {
  return { ...readSettings(schema, environment), tlsFiles: tlsFiles(environment) };
}
