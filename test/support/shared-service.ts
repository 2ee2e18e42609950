import { afterAll, beforeAll } from 'vitest';
import { type RunningService, type ServiceOptions, startService } from './running-service.ts';

/** Only tests about the limit are meant to meet it. */
const plentyOfWrites = { ITEM_WRITES_PER_MINUTE: '100000' };

/**
 * Starts the program once for all tests of a file or suite, and ends it after
 * them. What is answered gives the running service; for use in hooks and tests.
 */
export function sharedService(options: ServiceOptions = {}): () => RunningService {
  let running: RunningService | undefined;
  beforeAll(async () => {
    running = await startService({ ...options, environment: { ...plentyOfWrites, ...options.environment } });
  });
  afterAll(async () => {
    await running?.remove();
  });
  return () => {
    if (running === undefined) throw new Error('the service runs only while tests do');
    return running;
  };
}
