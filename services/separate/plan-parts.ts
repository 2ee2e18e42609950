import type { Environment } from '@teammemory/config/read-settings.ts';
import { addressOf } from '@teammemory/process/listening.ts';
import { mutualTls } from '@teammemory/process/tls-settings.ts';
import { gatewayPorts, type SeparateSettings } from './config.ts';

/** The services; gateways stand in front of them. */
const services = {
  analytics: 'ANALYTICS',
  auth: 'AUTHS',
  content: 'CONTENTS',
  query: 'QUERIES',
} as const;

/** Services listen for their own machine only; gateways are what others reach. */
const serviceHost = '127.0.0.1';

/** One process to run. */
export interface Part {
  /** `gateway-1`, `content-2`, … */
  name: string;
  /** Main program, from the repository's root. */
  program: string;
  environment: Environment;
  /** Stopped in rising order: what calls goes before what it calls. */
  stage: number;
  /** Base address: of the public API for a gateway, of the RPCs for a service. */
  address: string;
}

/** The settings that all parts share. */
export interface Shared {
  settings: SeparateSettings;
  /** Settings that are handed on as they are. */
  environment: Environment;
  administratorToken: string;
  signingKeyFile: string;
  verificationKeysFile: string;
  /** Finds a port that nothing listens on. */
  freePort: () => Promise<number>;
}

/**
 * Decides which processes run, on which ports, and how they find each other.
 * Ports are chosen beforehand, so that a process that is started again is found where it was.
 * @throws AppError `invalid_request` when only some of the settings of TLS are there.
 */
export async function planParts(shared: Shared): Promise<{ parts: Part[]; rpcAddress: string }> {
  const planned: Part[] = [];
  for (const [name, count] of Object.entries(services)) {
    for (let number = 1; number <= shared.settings[count]; number += 1) {
      planned.push(await planService(name, number, shared));
    }
  }
  const urls = Object.fromEntries(
    Object.keys(services).map((name) => [
      `${name.toUpperCase()}_URL`,
      planned
        .filter((part) => part.name.startsWith(`${name}-`))
        .map(({ address }) => address)
        .join(','),
    ]),
  );
  const withAddresses = planned.map((part) => ({ ...part, environment: { ...part.environment, ...urls } }));
  const rpcPort = shared.settings.RPC_PORT || (await shared.freePort());
  const gateways: Part[] = [];
  for (let number = 1; number <= shared.settings.GATEWAYS; number += 1) {
    gateways.push(await planGateway(number, { ...shared, urls, rpcPort }));
  }
  const rpcAddress = addressOf(shared.settings.HOST, rpcPort, rpcScheme(shared));
  return { parts: [...withAddresses, ...gateways], rpcAddress };
}

/** RPCs go over TLS where the parts have certificates; the public API leaves TLS to what stands before it. */
function rpcScheme({ settings }: Shared): 'http' | 'https' {
  return mutualTls(settings) === undefined ? 'http' : 'https';
}

async function planService(name: string, number: number, shared: Shared): Promise<Part> {
  const port = await shared.freePort();
  return {
    name: `${name}-${number}`,
    program: `services/${name}/main.ts`,
    environment: {
      ...shared.environment,
      HOST: serviceHost,
      PORT: String(port),
      METRICS_PORT: '0',
      TMS_ADMIN_TOKEN: shared.administratorToken,
      SIGNING_KEY_FILE: shared.signingKeyFile,
      VERIFICATION_KEYS_FILE: shared.verificationKeysFile,
    },
    stage: name === 'query' || name === 'analytics' ? 1 : 2,
    address: addressOf(serviceHost, port, rpcScheme(shared)),
  };
}

async function planGateway(
  number: number,
  shared: Shared & { urls: Environment; rpcPort: number },
): Promise<Part> {
  const { HOST: host, METRICS_PORT } = shared.settings;
  const port = gatewayPorts(shared.settings)[number - 1] ?? (await shared.freePort());
  return {
    name: `gateway-${number}`,
    program: 'gateway/main.ts',
    environment: {
      ...shared.environment,
      ...shared.urls,
      PORT: String(port),
      // Ports that one process can have go to the first gateway.
      RPC_PORT: number === 1 ? String(shared.rpcPort) : '0',
      METRICS_PORT: number === 1 ? String(METRICS_PORT) : '0',
      SIGNING_KEY_FILE: shared.signingKeyFile,
    },
    stage: 0,
    address: addressOf(host, port),
  };
}
