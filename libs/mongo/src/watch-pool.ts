import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import type { MongoClient } from 'mongodb';

/** Measures a client's connections by the driver's events (Connection Monitoring and Pooling). */
export function watchPool(client: MongoClient, metrics: Metrics): void {
  let open = 0;
  let inUse = 0;
  let waiting = 0;
  const raiseFailures = metrics.counter(
    'mongodb_pool_failures_total',
    'Operations that got no connection to MongoDB.',
  );
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
  metrics.gauge('mongodb_pool_connections', 'Connections to MongoDB that are open.', () => open);
  metrics.gauge('mongodb_pool_connections_in_use', 'Of these, the ones that operations have.', () => inUse);
  metrics.gauge('mongodb_pool_waiting', 'Operations that wait for a connection to MongoDB.', () => waiting);
}
