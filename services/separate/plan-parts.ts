import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Environment } from '@teammemory/config/read-settings.ts';
import { addressOf } from '@teammemory/process/listening.ts';
import { mutualTls } from '@teammemory/process/tls-settings.ts';
import type { readSeparateSettings } from './config.ts';

/** The services, each with the setting of how many run. */
const counts = { analytics: 'ANALYTICS', auth: 'AUTHS', content: 'CONTENTS', query: 'QUERIES' } as const;
/** Services listen for their own machine only; gateways are what others reach. */
const serviceHost = '127.0.0.1';
/** Below the ports that systems give to connections and to those who ask for any. */
const [firstPort, lastPort] = [10_240, 32_000];

type Settings = ReturnType<typeof readSeparateSettings>['settings'];

/** One process to run. */
export interface Part {
  /** `gateway-1`, `content-2`, … */
  name: string;
  /** Main program, from the repository's root. */
  program: string;
  environment: Environment;
  /** Base address: of the public API for a gateway, of the RPCs for a service. */
  address: string;
}

/**
 * Decides which processes run, on which ports, and how they find each other. All parts get `environment`, services
 * `ofServices` as well. Ports are chosen beforehand, so that a process that is started again is found where it was.
 * @throws AppError `invalid_request` when only some of the settings of TLS are there.
 */
export async function planParts(settings: Settings, environment: Environment, ofServices: Environment) {
  const { HOST, PORT, RPC_PORT, METRICS_PORT, GATEWAYS } = settings;
  // RPCs go over TLS where the parts have certificates; the public API leaves TLS to what stands before it.
  const scheme = mutualTls(settings) === undefined ? 'http' : 'https';
  const given = [RPC_PORT, METRICS_PORT, ...Array.from({ length: GATEWAYS }, (_, index) => PORT + index)];
  // The next ones from a random one on: two that start at once hardly meet.
  let next = randomInt(firstPort, lastPort);
  const freePort = async () => {
    while (given.includes(next) || !(await isFree(next))) next += 1;
    return next++;
  };
  const shared = { ...environment };
  const services: Part[] = [];
  for (const [service, count] of Object.entries(counts)) {
    const addresses: string[] = [];
    for (let number = 1; number <= settings[count]; number += 1) {
      const port = await freePort();
      const address = addressOf(serviceHost, port, scheme);
      const own = { ...ofServices, HOST: serviceHost, PORT: String(port), METRICS_PORT: '0' };
      const name = `${service}-${number}`;
      services.push({ name, program: `services/${service}/main.ts`, environment: own, address });
      addresses.push(address);
    }
    shared[`${service.toUpperCase()}_URL`] = addresses.join(',');
  }
  const rpcPort = RPC_PORT || (await freePort());
  const gateways: Part[] = [];
  for (let index = 0; index < GATEWAYS; index += 1) {
    const port = PORT === 0 ? await freePort() : PORT + index;
    // Ports that one process can have go to the first gateway.
    const [rpc, metrics] = index === 0 ? [rpcPort, METRICS_PORT] : [0, 0];
    const own = { PORT: String(port), RPC_PORT: String(rpc), METRICS_PORT: String(metrics) };
    const address = addressOf(HOST, port);
    gateways.push({ name: `gateway-${index + 1}`, program: 'gateway/main.ts', environment: own, address });
  }
  for (const part of [...services, ...gateways]) part.environment = { ...shared, ...part.environment };
  return { services, gateways, rpcAddress: addressOf(HOST, rpcPort, scheme) };
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, serviceHost);
  return once(server, 'listening').then(
    () => new Promise((resolve) => server.close(() => resolve(true))),
    () => false,
  );
}
