import { type Environment, readSettings } from '@teammemory/config/read-settings.ts';
import { oneOf, optionalUrl, port, text, wholeNumber } from '@teammemory/config/setting-types.ts';
import { logLevels } from '@teammemory/log/log.ts';
import {
  administratorToken,
  mongodbDatabase,
  requiredMongodbUrl,
} from '@teammemory/process/setting-types.ts';
import { tlsSettings } from '@teammemory/process/tls-settings.ts';
import { z } from 'zod';

/** Processes of one part: more than a machine for trying things out can use. */
const processes = () => wholeNumber({ minimum: 1, maximum: 16, default: 1 });

/**
 * The settings of `npm run start:separate` that it uses itself: those of
 * `npm start`, and how many processes of each part to start. All others go on
 * to the parts as they are.
 */
export const schema = z.object({
  HOST: text('127.0.0.1'),
  PORT: port(8080),
  RPC_PORT: port(7100),
  METRICS_PORT: port(0),
  DATA_DIR: text('.data'),
  LOG_LEVEL: oneOf(logLevels, 'info'),
  MONGODB_URL: requiredMongodbUrl(),
  MONGODB_DATABASE: mongodbDatabase(),
  REDIS_URL: optionalUrl('redis:', 'rediss:').refine((url) => url !== undefined, 'must be set'),
  TMS_ADMIN_TOKEN: administratorToken(),
  ...tlsSettings,
  GATEWAYS: processes(),
  ANALYTICS: processes(),
  AUTHS: processes(),
  CONTENTS: processes(),
  QUERIES: processes(),
});

export type SeparateSettings = z.output<typeof schema>;

/** The ports of the gateways, in their order; none where they take any free ones. */
export function gatewayPorts({ PORT, GATEWAYS }: Pick<SeparateSettings, 'PORT' | 'GATEWAYS'>): number[] {
  return PORT === 0 ? [] : Array.from({ length: GATEWAYS }, (_, index) => PORT + index);
}

/**
 * Reads the settings, and the environment that all parts get.
 * @throws AppError `invalid_request` with one sentence for people.
 */
export function readSeparateSettings(environment: Environment = process.env): {
  settings: SeparateSettings;
  environment: Environment;
} {
  return { settings: readSettings(schema, environment), environment };
}
