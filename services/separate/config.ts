import { readSettings } from '@teammemory/config/read-settings.ts';
import { oneOf, optionalUrl, port, text, wholeNumber } from '@teammemory/config/setting-types.ts';
import { logLevels } from '@teammemory/log/log.ts';
import {
  administratorToken,
  mongodbDatabase,
  requiredMongodbUrl,
} from '@teammemory/process/setting-types.ts';
import { tlsSettings } from '@teammemory/process/tls-settings.ts';
import { z } from 'zod';

/** Processes of one part. */
const processes = () => wholeNumber({ minimum: 1, maximum: 16, default: 1 });

/** The settings that `npm run start:separate` uses itself. All others go on to the parts as they are. */
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

/** Returns the settings, and the environment that all parts get. @throws AppError `invalid_request`. */
export const readSeparateSettings = (environment = process.env) => ({
  settings: readSettings(schema, environment),
  environment,
});
