import { afterAll, beforeAll } from 'vitest';
import { deploymentOfRun } from './deployment-of-run.ts';
import {
  type RunningService,
  type ServiceOptions,
  type StartedService,
  startService,
} from './running-service.ts';

/** Only tests about the limits are meant to meet them. */
export const plentyOfWrites = {
  ITEM_WRITES_PER_MINUTE: '100000',
  QUESTIONS_PER_MINUTE: '100000',
  SCANS_PER_MINUTE: '100000',
  SNAPSHOTS_PER_MINUTE: '100000',
};

/**
 * Starts the program once for all tests of a file or suite, and ends it after
 * them; where the run has one deployment for all who need no settings of their
 * own, that is used. What is answered gives the running service; for use in
 * hooks and tests.
 */
export function sharedService(options: ServiceOptions = {}): () => RunningService {
  let running: RunningService | undefined;
  let own: StartedService | undefined;
  beforeAll(async () => {
    const { environment, ...others } = options;
    if (environment === undefined && !('dataDirectory' in others)) running = deploymentOfRun();
    if (running !== undefined) return;
    own = await startService({ ...others, environment: { ...plentyOfWrites, ...environment } });
    running = own;
  });
  afterAll(async () => {
    await own?.remove();
  });
  return () => {
    if (running === undefined) throw new Error('the service runs only while tests do');
    return running;
  };
}
