import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { ProblemError } from '@teammemory/client/problem-error.ts';
import { isTemporary } from '@teammemory/client/retries.ts';
import type { TeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import { buildVersion } from '@teammemory/config/product-version.ts';
import type { Holder } from '@teammemory/mcp/memory.ts';
import { createMemoryServer } from '@teammemory/mcp/memory-server.ts';
import { isAccess } from '@teammemory/vocabulary/access.ts';
import { nameInMessages } from '@teammemory/vocabulary/client-name.ts';
import type { CliContext } from '../cli-context.ts';
import { CliError } from '../cli-error.ts';
import { printable } from '../terminal.ts';
import { changedResources } from './changed-resources.ts';
import { createClientMemory } from './client-memory.ts';
import { createSubscriptions, maxSubscriptions } from './subscriptions.ts';

/** Clients give up on a server that does not start, so a silent service must not hold the start longer. */
const whoamiTimeoutMs = 5_000;
/** Longest wait before the service is asked again who the holder of the key is. */
const maxLearnPauseMs = 10_000;

/** What serving needs of the world around it. */
export interface StdioContext extends Pick<CliContext, 'signal' | 'sleep' | 'stderr'> {
  stdin: CliContext['stdin'];
  /** For the protocol only. */
  stdout: CliContext['stdout'];
  /** Told what the program at the other end calls itself, before its first call. */
  onName?: (name: unknown) => void;
}

/**
 * Serves the memory of a team on standard input and output until the input ends or the signal aborts. Throws, before it
 * reads anything, if the service refuses the key. If the service cannot be reached, it serves all the same: calls of tools
 * then fail with `unavailable` until it can.
 */
export async function serveOnStdio(
  client: TeamMemoryClient,
  team: string,
  context: StdioContext,
): Promise<void> {
  const end = new AbortController();
  const stop = () => end.abort();
  context.signal.addEventListener('abort', stop, { once: true });
  const say = (what: string) => context.stderr.write(`tms: ${printable(what)}\n`);
  const sayError = (error: unknown) => say(error instanceof Error ? error.message : String(error));

  const holder = await holderOf(client, team, { context, signal: end.signal, say });
  const memory = createClientMemory(client, () => holder.known);
  const subscriptions = createSubscriptions({
    team,
    changes: (signal) => changedResources(client, team, { signal, clock: Date.now }),
    onFault: sayError,
  });
  const transport = watchedTransport(context, {
    seen(message) {
      const name = nameInMessages(message);
      if (name !== undefined) context.onName?.(name);
      subscriptions.see(message);
    },
    closed: stop,
  });
  const serving = serveStdio(
    () => {
      const server = createMemoryServer({
        memory,
        version: buildVersion,
        subscriptions: true,
        onFault: sayError,
      });
      subscriptions.serve(server);
      return server;
    },
    { transport, maxSubscriptions, onerror: sayError },
  );
  if (!end.signal.aborted) {
    await new Promise((resolve) => end.signal.addEventListener('abort', resolve, { once: true }));
  }
  context.signal.removeEventListener('abort', stop);
  subscriptions.end();
  await serving.close();
}

/** The holder of the key as far as it is known. */
interface LearntHolder {
  known: Holder;
}

/**
 * Asks the service who the holder is. Without an answer everything is offered, since the service itself refuses what the
 * key may not do, and the holder is learnt as soon as the service is there.
 */
async function holderOf(
  client: TeamMemoryClient,
  team: string,
  { context, signal, say }: { context: StdioContext; signal: AbortSignal; say: (what: string) => void },
): Promise<LearntHolder> {
  try {
    return { known: await askHolder(client, team, signal) };
  } catch (thrown) {
    if (!isTemporary(thrown)) throw thrown;
    say(`${(thrown as Error).message} Calls will fail until it can be reached.`);
  }
  const holder: LearntHolder = { known: { team, member: '', tier: 'team', access: 'write' } };
  const learn = async () => {
    for (let pauseMs = 1_000; ; pauseMs = Math.min(2 * pauseMs, maxLearnPauseMs)) {
      await context.sleep(pauseMs, signal);
      try {
        holder.known = await askHolder(client, team, signal);
        return;
      } catch (thrown) {
        if (!isTemporary(thrown)) throw thrown;
      }
    }
  };
  learn().catch((thrown) => {
    if (!signal.aborted) say(thrown instanceof Error ? thrown.message : String(thrown));
  });
  return holder;
}

async function askHolder(client: TeamMemoryClient, team: string, signal: AbortSignal): Promise<Holder> {
  const timeout = AbortSignal.timeout(whoamiTimeoutMs);
  try {
    const who = await client.whoami({ signal: AbortSignal.any([signal, timeout]), retries: 0 });
    if (who.team !== team) {
      throw new CliError('team_forbidden', `The key is of team ${who.team}, not of ${team}.`);
    }
    const { member } = who;
    const access = isAccess(who.access) ? who.access : 'read';
    return { team, member, tier: who.tier === 'team' ? 'team' : 'external', access };
  } catch (thrown) {
    if (thrown instanceof ProblemError && thrown.code === 'not_found') {
      throw new CliError(
        'unimplemented',
        'The service is too old for agents: it cannot tell whose key this is.',
      );
    }
    throw thrown;
  }
}

/** Returns the transport of standard input and output, which shows each message to `seen` before it is served. */
function watchedTransport(
  { stdin, stdout }: StdioContext,
  { seen, closed }: { seen: (message: JSONRPCMessage) => void; closed: () => void },
): Transport {
  const wire = new StdioServerTransport(stdin as Readable, stdout as Writable);
  const transport: Transport = {
    async start() {
      wire.onmessage = (message) => {
        seen(message);
        transport.onmessage?.(message);
      };
      wire.onerror = (error) => transport.onerror?.(error);
      wire.onclose = () => {
        closed();
        transport.onclose?.();
      };
      await wire.start();
    },
    send: (message) => wire.send(message),
    close: () => wire.close(),
  };
  return transport;
}
