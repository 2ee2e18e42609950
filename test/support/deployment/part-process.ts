import { eventually } from '@teammemory/testkit/eventually.ts';
import { rpcCall } from '../rpc/rpc-call.ts';

/** A process of a part takes a second to start, on a loaded machine several times that. */
const startTimeoutMs = 60_000;
/** Each check is a connection. */
const checkEveryMs = 50;

/** One process of a deployment whose parts are separate. */
export interface PartProcess {
  /** As `content-2`. */
  name: string;
  pid: number;
  /** Of the public API for a gateway, of the RPCs for a service. */
  address: string;
}

/** A program that runs, by what it wrote so far. */
interface Output {
  output(): { stderr: string };
}

/** The processes as they are now, by what their supervisor says of its starts. */
export function partProcesses({ output }: Output): PartProcess[] {
  const started = output()
    .stderr.split('\n')
    .filter((line) => line.includes('"msg":"part started"'))
    .map((line): PartProcess => JSON.parse(line));
  return [...new Map(started.map((part) => [part.name, part])).values()];
}

/** The addresses of the services, as a gateway of its own has them in its settings. */
export function serviceUrls(service: Output): Record<string, string> {
  const urls = ['analytics', 'auth', 'content', 'query'].map((part) => {
    const addresses = partProcesses(service)
      .filter(({ name }) => name.startsWith(`${part}-`))
      .map(({ address }) => address);
    return [`${part.toUpperCase()}_URL`, addresses.join(',')];
  });
  return Object.fromEntries(urls);
}

/** The process that has this name now. */
export function partProcess(service: Output, name: string): PartProcess {
  const found = partProcesses(service).find((part) => part.name === name);
  if (found === undefined) throw new Error(`there is no part ${name}`);
  return found;
}

/** The gateways among them. */
export function gatewayProcesses(service: Output): PartProcess[] {
  return partProcesses(service).filter(isGateway);
}

/** Whether a process says that it can do all of its work: a gateway by `/readyz`, a service by its health check. */
export async function isServing(part: PartProcess): Promise<boolean> {
  const { address } = part;
  if (isGateway(part)) {
    const answer = await fetch(`${address}/readyz`);
    return answer.ok && !('degraded' in ((await answer.json()) as object));
  }
  const method = 'grpc.health.v1.Health/Check';
  const { message } = await rpcCall({ rpcUrl: address, protocol: 'connect', method });
  return message.status === 'SERVING';
}

function isGateway({ name }: PartProcess): boolean {
  return name.startsWith('gateway-');
}

/** Ends a process with a signal and waits until its replacement serves; returns the replacement. */
export async function replaceProcess(
  service: Output,
  name: string,
  signal: 'SIGKILL' | 'SIGTERM',
): Promise<PartProcess> {
  const { pid } = partProcess(service, name);
  process.kill(pid, signal);
  return eventually(
    `another process serves as ${name}`,
    async () => {
      const now = partProcess(service, name);
      return now.pid !== pid && (await isServing(now)) && now;
    },
    { withinMs: startTimeoutMs, everyMs: checkEveryMs },
  );
}
