import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { MongoServer } from '@teammemory/testkit/mongo-server.ts';
import type { TestProject } from 'vitest/node';
import { partsAreSeparate } from '../support/deployment/deployment.ts';
import { startDeploymentOfRun } from './start-deployment-of-run.ts';

/** Covers the one-time installation of SecantusDB; a prepared server answers within seconds. */
const readyTimeoutMs = 300_000;

/**
 * Vitest's global setup: one MongoDB server for the whole run, told to the tests
 * through `mongoServerForTests`; where the run is about separate processes, also
 * one deployment of them, told through `deploymentOfRun`.
 *
 * @throws Error when a server that should run does not; having none is no error,
 *   unless parts are separate.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = spawn(process.execPath, [join(import.meta.dirname, 'mongodb.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(server, 'exit');
  const lines = createInterface({ input: server.stdout });
  const silent = exited.then(() => {
    throw new Error('the MongoDB server for the tests did not start: see its words above');
  });
  // Once the answer is read, the end of the server is the wanted one.
  silent.catch(() => {});
  const answer = once(lines, 'line', { signal: AbortSignal.timeout(readyTimeoutMs) });
  const [line] = (await Promise.race([answer, silent])) as [string];
  const mongodb: MongoServer = JSON.parse(line);
  project.provide('mongoServer', mongodb);
  const shared = partsAreSeparate ? await startDeploymentOfRun(mongodb) : undefined;
  project.provide('deploymentOfRun', shared?.deployment);
  return async () => {
    await shared?.stop();
    server.stdin.end();
    await exited;
  };
}
