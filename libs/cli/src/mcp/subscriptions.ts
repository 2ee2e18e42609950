import {
  type JSONRPCMessage,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
} from '@modelcontextprotocol/server';
import { rowKeyFromUri } from '@teammemory/mcp/resource-uri.ts';

/** Subscriptions of one connection at a time: `subscriptions/listen` of the revision 2026-07-28. */
export const maxSubscriptions = 64;
/** Resources that a client of the revisions of 2025 may subscribe to at a time. */
const maxSubscribedUris = 1_000;

export interface SubscriptionsOptions {
  team: string;
  /** Yields the URIs of resources that change, until the signal aborts. */
  changes: (signal: AbortSignal) => AsyncIterable<readonly string[]>;
  /** Called if the changes end with an error. */
  onFault: (error: unknown) => void;
}

/** The subscriptions of one connection. Changes are read only while there is one. */
export interface Subscriptions {
  /**
   * Looks at a message that the client sent. The package serves `subscriptions/listen` itself and asks nobody, so this is
   * how it is known that somebody listens.
   */
  see(message: JSONRPCMessage): void;
  /** Serves the requests of the revisions of 2025, and sends what changes through this server. */
  serve(server: Server): void;
  /** Ends all subscriptions. */
  end(): void;
}

/** Creates the subscriptions of one connection. */
export function createSubscriptions({ team, changes, onFault }: SubscriptionsOptions): Subscriptions {
  const listening = new Set<unknown>();
  const uris = new Set<string>();
  let server: Server | undefined;
  let reading: AbortController | undefined;

  function update(): void {
    const isWanted = listening.size + uris.size > 0;
    if (isWanted && reading === undefined) {
      reading = new AbortController();
      void tell(reading);
    }
    if (!isWanted) {
      reading?.abort();
      reading = undefined;
    }
  }

  async function tell(own: AbortController): Promise<void> {
    try {
      for await (const changed of changes(own.signal)) {
        for (const uri of changed) {
          // With `subscriptions/listen` the package itself leaves out what nobody asked for.
          if (listening.size > 0 || uris.has(uri)) await server?.sendResourceUpdated({ uri });
        }
        await server?.sendResourceListChanged();
      }
    } catch (error) {
      if (!own.signal.aborted) onFault(error);
    } finally {
      // The next subscription tries again.
      if (reading === own) reading = undefined;
    }
  }

  function subscribe(uri: string): void {
    if (rowKeyFromUri(team, uri) === undefined) {
      throw new ProtocolError(ProtocolErrorCode.ResourceNotFound, 'There is no such resource.', { uri });
    }
    if (uris.size >= maxSubscribedUris && !uris.has(uri)) {
      const limit = `There are ${maxSubscribedUris} subscriptions already, which is the limit.`;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, limit);
    }
    uris.add(uri);
    update();
  }

  return {
    see(message) {
      if (!('method' in message)) return;
      if (message.method === 'notifications/cancelled') listening.delete(message.params?.requestId);
      else if (message.method === 'subscriptions/listen' && 'id' in message && wantsResources(message)) {
        if (listening.size < maxSubscriptions) listening.add(message.id);
      } else return;
      update();
    },
    serve(served) {
      server = served;
      served.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
        subscribe(uri);
        return {};
      });
      served.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
        uris.delete(uri);
        update();
        return {};
      });
    },
    end() {
      listening.clear();
      uris.clear();
      update();
    },
  };
}

function wantsResources({ params }: { params?: { [name: string]: unknown } | undefined }): boolean {
  const filter = params?.notifications as
    | { resourcesListChanged?: unknown; resourceSubscriptions?: unknown }
    | undefined;
  return filter?.resourcesListChanged === true || Array.isArray(filter?.resourceSubscriptions);
}
