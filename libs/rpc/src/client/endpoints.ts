import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import { AppError } from '@teammemory/errors/app-error.ts';
import { createEndpoint, type Endpoint, type EndpointOptions } from './endpoint.ts';
import { type ResolveName, resolveName, watchName } from './name-resolver.ts';

export interface EndpointsOptions extends EndpointOptions {
  /** Resolves a name to its addresses; unset: the system's resolver. */
  resolve?: ResolveName;
}

/** The endpoints of one part of the service. */
export interface Endpoints {
  /**
   * Returns the endpoint for a call: by turns, or with an affinity always the same one while it can be
   * reached. Endpoints in `tried` are chosen only if no other can be reached. If none can be reached,
   * those that may be back are chosen, each once. Undefined if none is left.
   */
  choose(affinity: string | undefined, tried: ReadonlySet<Endpoint>): Endpoint | undefined;
  /** How many there are now. */
  size(): number;
  /** Resolves when there is a connection to one of them. @throws AppError `unavailable` */
  ready(): Promise<void>;
  /** Destroys all connections. */
  close(): void;
}

/** Makes the endpoints that these URLs stand for. */
export function createEndpoints(urls: readonly string[], options: EndpointsOptions): Endpoints {
  const groups = urls.map((url) => createEndpointGroup(url, options));
  const all = () => groups.flatMap((group) => group.endpoints());
  let turn = 0;

  function byTurns(candidates: readonly Endpoint[]): Endpoint | undefined {
    turn = (turn + 1) % Number.MAX_SAFE_INTEGER;
    return candidates[turn % candidates.length];
  }

  return {
    choose(affinity, tried) {
      const endpoints = all();
      const reachable = endpoints.filter((endpoint) => endpoint.isReachable());
      const untried = (endpoint: Endpoint) => !tried.has(endpoint);
      const mayBeBack = endpoints.filter((endpoint) => untried(endpoint) && endpoint.mayBeBack());
      const inOrder = [reachable.filter(untried), reachable, mayBeBack];
      const candidates = inOrder.find(({ length }) => length > 0) ?? [];
      return affinity === undefined ? byTurns(candidates) : byAffinity(candidates, affinity);
    },
    size: () => all().length,
    async ready() {
      try {
        await Promise.any(all().map((endpoint) => endpoint.connect()));
      } catch (cause) {
        throw new AppError('unavailable', 'A part of the service cannot be reached.', { cause });
      }
    },
    close() {
      for (const group of groups) group.close();
    },
  };
}

/**
 * Rendezvous hashing (Thaler, Ravishankar 1998): returns the endpoint with the highest weight for this
 * key. If one leaves, only its own keys move.
 */
function byAffinity(candidates: readonly Endpoint[], affinity: string): Endpoint | undefined {
  const weights = candidates.map(({ id }) => hash('sha256', `${affinity} ${id}`));
  return candidates[weights.indexOf(weights.toSorted().at(-1) ?? '')];
}

/** The endpoints that one URL stands for. */
interface EndpointGroup {
  /** Returns those that accept calls now; never none. */
  endpoints(): readonly Endpoint[];
  /** Destroys all connections. */
  close(): void;
}

/**
 * Makes the group of a URL. An IP address or `localhost` is one endpoint. A name is one endpoint for each
 * of its addresses and is resolved regularly: new addresses join, removed ones finish their calls and
 * leave. Until it is first resolved, the name itself is one endpoint.
 */
function createEndpointGroup(url: string, options: EndpointsOptions): EndpointGroup {
  const { host, hostname } = new URL(url);
  const { resolve = resolveName, log, metrics } = options;
  const open = (address?: string) =>
    createEndpoint({ url, address, onLost: () => watcher?.lookAgain() }, options);
  let present = new Map<string | undefined, Endpoint>([[undefined, open()]]);
  const leaving = new Set<Endpoint>();

  function onAddresses(addresses: readonly string[]): void {
    const before = present;
    present = new Map(addresses.map((address) => [address, before.get(address) ?? open(address)]));
    const gone = [...before].filter(([address]) => !present.has(address));
    if (gone.length > 0 || before.size < present.size) {
      log.info({ process: host, addresses }, 'a name has other addresses now');
    }
    for (const [, process] of gone) {
      leaving.add(process);
      process.leave().finally(() => leaving.delete(process));
    }
  }

  const watcher = isOneEndpoint(hostname)
    ? undefined
    : watchName({ name: hostname, resolve, log, onAddresses });
  const underWay = () => {
    return [...present.values(), ...leaving].reduce((sum, process) => sum + process.underWay(), 0);
  };
  metrics?.gauge('teammemory_rpc_client_calls_in_flight', underWay, { process: host });
  return {
    endpoints: () => [...present.values()],
    close() {
      watcher?.close();
      for (const process of [...present.values(), ...leaving]) process.close();
    },
  };
}

/** Whether a URL's host is one endpoint. `localhost` may have two addresses, and both are this machine. */
function isOneEndpoint(hostname: string): boolean {
  return hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}
