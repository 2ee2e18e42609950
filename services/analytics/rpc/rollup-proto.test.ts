import { create } from '@bufbuild/protobuf';
import { TeamPlacementSchema } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { expect, test } from 'vitest';
import { contributionOf } from '../domain/disclosure.ts';
import { keptSnapshot } from '../domain/snapshot.fixture.ts';
import { type TeamPlacement, teamPlacement } from '../domain/team-placement.ts';
import { rollupToProto, teamPlacementToProto } from './rollup-proto.ts';

const { canonical } = keptSnapshot();

async function placementOf(members: number): Promise<TeamPlacement> {
  const added = Array.from({ length: members }, (_, n) => [`m${n}`, contributionOf(canonical)] as const);
  return (await teamPlacement([], new Map(added))).placement;
}

test('a placement that is withheld says so and has no figure', async () => {
  const shown = create(TeamPlacementSchema, teamPlacementToProto(await placementOf(2)));
  expect(shown).toMatchObject({ members: 2, withheld: true, spines: {}, medianAxes: {} });
});

test('a rollup shows every week with its figures', async () => {
  const placement = await placementOf(3);
  const [from, to, rubricVersion] = ['2026-11-16', '2026-11-22', 1];
  const trend = [{ week: from, placement }];
  const figures = {
    members: 3,
    spines: { L0: 0, L1: 0, L2: 3, L3: 0, L4: 0, L5: 0 },
    medianAxes: canonical.axes,
  };
  expect(rollupToProto({ from, to, rubricVersion, current: placement, trend })).toEqual({
    from,
    to,
    rubricVersion,
    current: figures,
    trend: [{ week: from, placement: figures }],
  });
});
