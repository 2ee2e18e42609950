import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MongoServer } from '@teammemory/testkit/mongo-server.ts';
import { separateParts } from '../support/deployment/deployment.ts';
import type { DeploymentOfRun } from '../support/deployment/deployment-of-run.ts';
import { startService } from '../support/service/running-service.ts';
import { plentyOfWrites } from '../support/service/shared-service.ts';

/**
 * Starts a deployment of separate parts for all tests of a run that need no
 * settings of their own: eight processes for every file would take most of its
 * time. @throws Error where it does not start.
 */
export async function startDeploymentOfRun(
  mongodb: MongoServer,
): Promise<{ deployment: DeploymentOfRun; stop(): Promise<void> }> {
  const service = await startService({
    deployment: await separateParts(mongodb),
    environment: plentyOfWrites,
  });
  const file = (name: 'stdout' | 'stderr') => join(service.dataDirectory, `${name}.log`);
  for (const name of ['stdout', 'stderr'] as const) {
    writeFileSync(file(name), service.output()[name]);
    service.process[name]?.pipe(createWriteStream(file(name), { flags: 'a' }));
  }
  const { url, urls, rpcUrl, metricsUrl, adminToken, dataDirectory } = service;
  return {
    deployment: {
      places: { url, urls, rpcUrl, metricsUrl, adminToken, dataDirectory },
      output: { stdout: file('stdout'), stderr: file('stderr') },
    },
    stop: () => service.remove(),
  };
}
