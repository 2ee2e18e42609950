import { oneOf, optionalUrl, port, text } from '@teammemory/config/setting-types.ts';
import { logLevels } from '@teammemory/log/log.ts';
import type { z } from 'zod';
import {
  administratorToken,
  mongodbDatabase,
  requiredMongodbUrl,
  signingKey,
  verificationKeys,
} from './setting-types.ts';
import { type TlsFiles, tlsSettings } from './tls-settings.ts';

/** The settings of every part in a process of its own, with the port that it takes unless told otherwise. */
export const partSettings = (usualPort: number) => ({
  HOST: text('127.0.0.1'),
  PORT: port(usualPort),
  METRICS_PORT: port(0),
  LOG_LEVEL: oneOf(logLevels, 'info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalUrl('http:', 'https:'),
  SIGNING_KEY: signingKey(),
  ...tlsSettings,
});

/** The settings of every service in a process of its own, with the port of its RPCs. */
export const serviceSettings = (usualPort: number) => ({
  ...partSettings(usualPort),
  MONGODB_URL: requiredMongodbUrl(),
  MONGODB_DATABASE: mongodbDatabase(),
  VERIFICATION_KEYS: verificationKeys(),
  TMS_ADMIN_TOKEN: administratorToken(),
});

type Read<Settings extends z.ZodRawShape> = z.output<z.ZodObject<Settings>> & { tlsFiles: TlsFiles };

/** The settings of a part as they were read. */
export type PartSettings = Read<ReturnType<typeof partSettings>>;

/** The settings of a service as they were read. */
export type ServiceSettings = Read<ReturnType<typeof serviceSettings>>;
