import {
  type ServiceOptions,
  type StartedService,
  startService,
} from '../support/service/running-service.ts';

/** Starts the program with limits per minute that no measurement reaches. */
export function startBenchService({ environment, ...options }: ServiceOptions = {}): Promise<StartedService> {
  return startService({
    ...options,
    environment: {
      ITEM_WRITES_PER_MINUTE: '1000000',
      QUESTIONS_PER_MINUTE: '1000000',
      SEARCHES_PER_MINUTE: '1000000',
      ...environment,
    },
  });
}
