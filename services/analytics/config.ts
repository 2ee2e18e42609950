import { type Environment, readSettings } from '@teammemory/config/read-settings.ts';
import { serviceSettings } from '@teammemory/process/part-settings.ts';
import { addresses } from '@teammemory/process/setting-types.ts';
import { tlsFiles } from '@teammemory/process/tls-settings.ts';
import { z } from 'zod';

/** Every setting of the analytics service in a process of its own; docs/configuration.md lists them for people. */
export const schema = z.object({
  ...serviceSettings(7103),
  AUTH_URL: addresses(),
});

/**
 * Reads the settings of this process.
 * @throws AppError `invalid_request` with one sentence for people.
 */
export function readAnalyticsSettings(environment: Environment = process.env) {
  return { ...readSettings(schema, environment), tlsFiles: tlsFiles(environment) };
}
