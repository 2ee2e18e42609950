import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { type OpenSpan, openSpan } from '@teammemory/telemetry/span.ts';
import type { CommandFailedEvent, CommandStartedEvent, MongoClient } from 'mongodb';

/**
 * Makes each command on a collection a span of the active trace, named and
 * described by OpenTelemetry's semantic conventions for databases: which
 * operation on which collection, and never a value. The client must have the
 * option `monitorCommands`.
 */
export function traceCommands(client: MongoClient): void {
  const underWay = new Map<number, OpenSpan>();
  client.on('commandStarted', (event) => {
    const collection = collectionOf(event);
    // Pings and the driver's own commands are nobody's step.
    if (collection === undefined) return;
    const attributes = {
      'db.system.name': 'mongodb',
      'db.namespace': event.databaseName,
      'db.collection.name': collection,
      'db.operation.name': event.commandName,
    };
    underWay.set(event.requestId, openSpan(`${event.commandName} ${collection}`, 'client', { attributes }));
  });
  const ended = ({ requestId, failure }: { requestId: number } & Partial<CommandFailedEvent>) => {
    underWay.get(requestId)?.end({}, failure);
    underWay.delete(requestId);
  };
  client.on('commandSucceeded', ended);
  client.on('commandFailed', ended);
}

/** A command names its collection in its first field, by its own name; `getMore` alone does otherwise. */
function collectionOf({ commandName, command }: CommandStartedEvent): string | undefined {
  const name: unknown = commandName === 'getMore' ? command.collection : command[commandName];
  return typeof name === 'string' ? name : undefined;
}

/** Measures a client's connections by the driver's events (Connection Monitoring and Pooling). */
export function watchPool(client: MongoClient, metrics: Metrics): void {
  let open = 0;
  let inUse = 0;
  let waiting = 0;
  const raiseFailures = metrics.counter('teammemory_mongodb_pool_failures_total');
  client.on('connectionCreated', () => {
    open += 1;
  });
  client.on('connectionClosed', () => {
    open -= 1;
  });
  client.on('connectionCheckOutStarted', () => {
    waiting += 1;
  });
  client.on('connectionCheckOutFailed', () => {
    waiting -= 1;
    raiseFailures();
  });
  client.on('connectionCheckedOut', () => {
    waiting -= 1;
    inUse += 1;
  });
  client.on('connectionCheckedIn', () => {
    inUse -= 1;
  });
  metrics.gauge('teammemory_mongodb_pool_connections', () => open);
  metrics.gauge('teammemory_mongodb_pool_connections_in_use', () => inUse);
  metrics.gauge('teammemory_mongodb_pool_waiting', () => waiting);
}
