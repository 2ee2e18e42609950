import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { newTeam } from '../support/http/key-holder.ts';
import { startService } from '../support/service/running-service.ts';
import { plentyOfWrites } from '../support/service/shared-service.ts';
import type { Operation } from './call-fault.ts';
import { failingBackup, failingSync } from './failing-laptop.ts';
import { startFailingService } from './failing-service.ts';

/** All that is done while calls fail, by name, and the services for it. */
export interface FailingOperations {
  operations: ReadonlyMap<string, Operation>;
  remove(): Promise<void>;
}

/** Starts a service whose calls fail, and a good one for `tms`, whose calls fail. */
export async function startFailingOperations({
  library,
  folder,
}: {
  library: string;
  folder: string;
}): Promise<FailingOperations> {
  const own = (name: string) => {
    const path = join(folder, name);
    mkdirSync(path);
    return { library, folder: path };
  };
  const failing = await startFailingService(own('service'));
  const service = await startService({ environment: plentyOfWrites });
  const laptop = { service, team: await newTeam(service) };
  const laptops = [
    await failingSync({ ...own('sync'), ...laptop }),
    await failingBackup({ ...own('backup'), ...laptop }),
  ];
  const operations = [...failing.operations, ...laptops];
  return {
    operations: new Map(operations.map((operation) => [operation.name, operation])),
    async remove() {
      for (const { end } of laptops) end();
      await failing.remove();
      await service.remove();
    },
  };
}
