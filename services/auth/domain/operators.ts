import { isActive } from './keys.ts';
import type { ServiceCredentials } from './service-credentials.ts';

const operatorsPerPage = 200;

/** Returns whether the token of an operator, other than `except`, is valid, and whether there is any operator at all. */
export async function findOperators(
  operators: Pick<ServiceCredentials, 'list'>,
  { now, except }: { now: number; except?: string },
): Promise<{ isAnyActive: boolean; isAny: boolean }> {
  for (let lastName = ''; ; ) {
    const { rows } = await operators.list(lastName, operatorsPerPage);
    if (rows.some((operator) => operator.name !== except && isActive(operator, now)))
      return { isAnyActive: true, isAny: true };
    const last = rows.at(-1);
    if (last === undefined) return { isAnyActive: false, isAny: lastName !== '' };
    lastName = last.name;
  }
}
