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

/** The highest port that there is. */
const lastPort = 65_535;

/**
 * The settings of `npm run start:separate` that it uses itself: those of
 * `npm start`, and how many processes of each part to start. All others go on
 * to the parts as they are.
 */
export const schema = z
  .object({
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
  })
  .superRefine(checkPorts);

export type SeparateSettings = z.output<typeof schema>;

/** The settings that decide which process listens where. */
type Ports = Record<'PORT' | 'RPC_PORT' | 'METRICS_PORT' | 'GATEWAYS', number>;

/** The ports of the gateways, in their order; none where they take any free ones. */
export function gatewayPorts({ PORT, GATEWAYS }: Pick<Ports, 'PORT' | 'GATEWAYS'>): number[] {
  return PORT === 0 ? [] : Array.from({ length: GATEWAYS }, (_, index) => PORT + index);
}

/** Refuses ports that two processes would use; otherwise the conflict appears only when one of them cannot start. */
function checkPorts(ports: Ports, context: z.RefinementCtx): void {
  const { PORT, RPC_PORT, METRICS_PORT, GATEWAYS } = ports;
  const refuse = (name: string, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message });
  const taken = 'must be a port that nothing else has: the gateways have PORT and those after it';
  const ofGateways = gatewayPorts(ports);
  if (PORT + GATEWAYS - 1 > lastPort) refuse('PORT', `must leave room for ${GATEWAYS} gateways, a port each`);
  if (ofGateways.includes(RPC_PORT)) refuse('RPC_PORT', taken);
  if (METRICS_PORT !== 0 && [...ofGateways, RPC_PORT].includes(METRICS_PORT)) refuse('METRICS_PORT', taken);
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
