import { AppError } from '@teammemory/errors/app-error.ts';
import { microDollarsFrom } from './micro-dollars.ts';
import type { Caps } from './usage-store.ts';

/**
 * The caps of the settings DAILY_MEMBER_CAP_USD and DAILY_TEAM_CAP_USD, exactly:
 * decimal amounts of US dollars, 0 for nothing that costs.
 * @throws AppError `invalid_request` with one sentence for people.
 */
export function capsFrom(decimals: { member: string; team: string }): Caps {
  return {
    member: capFrom('DAILY_MEMBER_CAP_USD', decimals.member),
    team: capFrom('DAILY_TEAM_CAP_USD', decimals.team),
  };
}

function capFrom(setting: string, decimal: string): number {
  const amount = microDollarsFrom(decimal);
  if (amount !== undefined) return amount;
  const rule = 'an amount of US dollars from 0 to 9999999, such as 2.5, with at most six decimals';
  throw new AppError('invalid_request', `Bad setting: ${setting} must be ${rule}.`);
}
