import { type Environment, readSettings } from '@teammemory/config/read-settings.ts';
import { oneOf, optionalUrl, port, text, wholeNumber } from '@teammemory/config/setting-types.ts';
import { logLevels } from '@teammemory/log/log.ts';
import { addresses, pem, signingKey } from '@teammemory/process/setting-types.ts';
import { z } from 'zod';

const mebibyte = 1024 * 1024;
/** With the time that what is under way gets after it, within what a process may take to go. */
const shutdownDelayMaxSeconds = 15;

/** Every setting of the gateway in a process of its own; README.md lists them for people. */
const schema = z.object({
  HOST: text('127.0.0.1'),
  PORT: port(8080),
  RPC_PORT: port(7100),
  METRICS_PORT: port(0),
  LOG_LEVEL: oneOf(logLevels, 'info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalUrl('http:', 'https:'),
  ANALYTICS_URL: addresses(),
  AUTH_URL: addresses(),
  CONTENT_URL: addresses(),
  QUERY_URL: addresses(),
  REDIS_URL: optionalUrl('redis:', 'rediss:'),
  ONLY_GATEWAY: oneOf(['yes', 'no'], 'no'),
  SIGNING_KEY: signingKey(),
  TLS_CERTIFICATE: pem(),
  TLS_KEY: pem(),
  TLS_AUTHORITY: pem(),
  SHUTDOWN_DELAY_SECONDS: wholeNumber({ minimum: 0, maximum: shutdownDelayMaxSeconds, default: 0 }),
  MAX_BODY_BYTES: wholeNumber({ minimum: 1024, maximum: 64 * mebibyte, default: 8 * mebibyte }),
  ITEM_WRITES_PER_MINUTE: wholeNumber({ minimum: 1, maximum: 1_000_000, default: 60 }),
  SCANS_PER_MINUTE: wholeNumber({ minimum: 1, maximum: 1_000_000, default: 60 }),
  SNAPSHOTS_PER_MINUTE: wholeNumber({ minimum: 1, maximum: 1_000_000, default: 60 }),
});

export type GatewaySettings = z.output<typeof schema>;

/**
 * Reads the settings of this process.
 * @throws AppError `invalid_request` with one sentence for people.
 */
export function readGatewaySettings(environment: Environment = process.env): GatewaySettings {
  return readSettings(schema, environment);
}
