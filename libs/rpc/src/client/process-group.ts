import { isIP } from 'node:net';
import { followName } from './follow-name.ts';
import { createRemoteProcess, type RemoteProcess, type RemoteProcessOptions } from './remote-process.ts';
import { type ResolveName, resolveName } from './resolve-name.ts';

/** The processes that one URL stands for. */
export interface ProcessGroup {
  /** Those that take calls now; never none. */
  processes(): readonly RemoteProcess[];
  /** Cuts all connections. */
  close(): void;
}

export interface ProcessGroupOptions extends RemoteProcessOptions {
  /** Answers the addresses of a name; unset: the system's resolver. */
  resolve?: ResolveName;
}

/**
 * Makes the group of a URL. An IP address or `localhost` is one process. A name
 * is a process for each of its addresses, which are looked up again and again:
 * new ones join, those that are gone finish their calls and leave. Until it was
 * resolved for the first time, the name itself counts as one process.
 */
export function createProcessGroup(url: string, options: ProcessGroupOptions): ProcessGroup {
  const { host, hostname } = new URL(url);
  const { resolve = resolveName, log, metrics } = options;
  const open = (address?: string) =>
    createRemoteProcess({ url, address, onLost: () => follower?.lookAgain() }, options);
  let present = new Map<string | undefined, RemoteProcess>([[undefined, open()]]);
  const leaving = new Set<RemoteProcess>();

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

  const follower = isOneProcess(hostname)
    ? undefined
    : followName({ name: hostname, resolve, log, onAddresses });
  // By the URL, not by address: series of pods that are gone would never end.
  const help = 'Calls to another process that are under way or wait for a connection.';
  const underWay = () => {
    return [...present.values(), ...leaving].reduce((sum, process) => sum + process.underWay(), 0);
  };
  metrics?.gauge('rpc_client_calls_in_flight', help, underWay, { process: host });
  return {
    processes: () => [...present.values()],
    close() {
      follower?.close();
      for (const process of [...present.values(), ...leaving]) process.close();
    },
  };
}

/** Whether a host, as URLs spell it, is one process. `localhost` may have two addresses, and both are this machine. */
function isOneProcess(hostname: string): boolean {
  return hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}
