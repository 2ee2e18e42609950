import { expect, test } from 'vitest';
import { capsFrom } from './spending.ts';

test('caps are taken exactly, nothing included', () => {
  expect(capsFrom({ member: '0', team: '50.000001' })).toEqual({ member: 0, team: 50_000_001 });
});

test.each(['', 'five', '-1', '1e3', '0.0000001', '5 '])(
  'the cap %o is refused, by the name of its setting',
  (bad) => {
    expect(() => capsFrom({ member: bad, team: '1' })).toThrow(
      'Bad setting: DAILY_MEMBER_CAP_USD must be an amount',
    );
    expect(() => capsFrom({ member: '1', team: bad })).toThrow(
      'Bad setting: DAILY_TEAM_CAP_USD must be an amount',
    );
  },
);
