import { beforeAll, describe, expect, test } from 'vitest';
import {
  faults,
  faultySettings,
  type RequestFault,
  type Teams,
  teamsForFaults,
} from './support/http/request-fault.ts';
import { type Route, routes, sendSpoiled } from './support/http/routes.ts';
import { sharedService } from './support/service/shared-service.ts';

const service = sharedService({ environment: faultySettings });

let teams: Teams;
beforeAll(async () => {
  teams = await teamsForFaults(service());
});

/** What can be wrong with a route; below /api/v1 also that there is no such path, which is told before the method. */
function faultsInOrder({ faults: ofRoute }: Route): RequestFault[] {
  const method = ofRoute.indexOf(faults.method);
  return ofRoute.includes(faults.key) ? ofRoute.toSpliced(method, 0, faults.path) : [...ofRoute];
}

describe.each(routes)('$method $path', (route) => {
  const inOrder = faultsInOrder(route);

  async function send(wrong: readonly RequestFault[]) {
    const { status, body } = await sendSpoiled(service(), route, wrong, teams);
    return { status, code: body.code };
  }

  const told = ({ status, code }: RequestFault) => ({ status, code });

  test('answers where nothing is wrong', async () => {
    expect((await send([])).status).toBe(route.status);
  });

  test.for(inOrder)('$name is told', async (only) => {
    expect(await send([only])).toEqual(told(only));
  });

  const pairs = inOrder.flatMap((first, index) =>
    inOrder.slice(index + 1).map((second) => ({ first, second })),
  );
  test.for(pairs)('$first.name is told before $second.name', async ({ first, second }) => {
    expect(await send([first, second])).toEqual(told(first));
  });

  test('of everything wrong at once the first is told', async () => {
    for (const [index, first] of inOrder.entries()) {
      expect(await send(inOrder.slice(index))).toEqual(told(first));
    }
  });
});
