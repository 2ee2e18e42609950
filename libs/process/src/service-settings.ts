import type { z } from 'zod';
import {
  administratorToken,
  mongodbDatabase,
  requiredMongodbUrl,
  verificationKeys,
} from './setting-types.ts';
import type { PartSettings } from './start-part.ts';
import { tlsSettings } from './tls-settings.ts';

/** The settings of every service in a process of its own, except those of listening and logging. */
export const serviceSettings = {
  MONGODB_URL: requiredMongodbUrl(),
  MONGODB_DATABASE: mongodbDatabase(),
  VERIFICATION_KEYS: verificationKeys(),
  TMS_ADMIN_TOKEN: administratorToken(),
  ...tlsSettings,
};

/** The settings of a service as they were read. */
export interface ServiceSettings extends PartSettings, z.output<z.ZodObject<typeof serviceSettings>> {
  /** Port of its RPCs. */
  PORT: number;
}
