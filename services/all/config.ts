import { type Environment, readSettings } from '@teammemory/config/read-settings.ts';
import { oneOf, optionalUrl, port, text } from '@teammemory/config/setting-types.ts';
import { contentSettings } from '@teammemory/content/config.ts';
import { gatewaySettings } from '@teammemory/gateway/config.ts';
import { logLevels } from '@teammemory/log/log.ts';
import { administratorToken, mongodbDatabase, mongodbUrl } from '@teammemory/process/setting-types.ts';
import { querySettings } from '@teammemory/query/config.ts';
import { z } from 'zod';

/** Every setting of `npm start`; docs/configuration.md lists them for people, in this order. */
export const schema = z.object({
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
  TMS_ADMIN_TOKEN: administratorToken(),
  BOOTSTRAP_TOKEN: oneOf(['on', 'off'], 'on'),
  ...gatewaySettings,
  ...contentSettings,
  ...querySettings,
});

export type Settings = z.output<typeof schema>;

/**
 * Reads the settings of the whole service in one process.
 * @throws AppError `invalid_request` with one sentence for people.
 */
export function readAllSettings(environment: Environment = process.env): Settings {
  return readSettings(schema, environment);
}

/**
 * Gives libuv's pool eight threads, where nobody chose a number. Each of the four databases may wait for a sync in one: the
 * usual four would then compress nothing and find no address. To be called before the pool is first used.
 */
export function widenThreadPool(): void {
  process.env.UV_THREADPOOL_SIZE ??= '8';
}
