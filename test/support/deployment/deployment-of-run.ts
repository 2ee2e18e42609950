import { readFileSync } from 'node:fs';
import { inject } from 'vitest';
import { type RunningService, reachService, type ServicePlaces } from '../service/running-service.ts';

/** A deployment that the whole run shares: where it is, and the files that hold what it writes. */
export interface DeploymentOfRun {
  places: ServicePlaces;
  output: { stdout: string; stderr: string };
}

declare module 'vitest' {
  interface ProvidedContext {
    deploymentOfRun: DeploymentOfRun | undefined;
  }
}

/** The program that the global setup started for all tests of the run that can share one, if it did. */
export function deploymentOfRun(): RunningService | undefined {
  const deployment = inject('deploymentOfRun');
  if (deployment === undefined) return undefined;
  const { places, output } = deployment;
  const read = (file: string) => readFileSync(file, 'utf8');
  return reachService(places, () => ({ stdout: read(output.stdout), stderr: read(output.stderr) }));
}
