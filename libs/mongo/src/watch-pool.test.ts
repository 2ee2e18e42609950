import { EventEmitter } from 'node:events';
import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import type { MongoClient } from 'mongodb';
import { expect, test } from 'vitest';
import { watchPool } from './client-telemetry.ts';

test('connections, who has one and who waits are shown as the driver tells of them', async () => {
  const client = new EventEmitter();
  const metrics = createMetrics();
  watchPool(client as unknown as MongoClient, metrics);
  for (const event of ['connectionCreated', 'connectionCreated', 'connectionClosed']) client.emit(event);
  for (let operation = 0; operation < 4; operation += 1) client.emit('connectionCheckOutStarted');
  for (const event of ['connectionCheckedOut', 'connectionCheckedOut', 'connectionCheckedIn'])
    client.emit(event);
  client.emit('connectionCheckOutFailed');
  const lines = (await metrics.registry.metrics()).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'teammemory_mongodb_pool_connections 1',
      'teammemory_mongodb_pool_connections_in_use 1',
      'teammemory_mongodb_pool_waiting 1',
      'teammemory_mongodb_pool_failures_total 1',
    ]),
  );
});
