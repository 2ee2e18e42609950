import { afterAll, beforeAll, expect, test } from 'vitest';
import { snapshot } from '../support/analytics/valid-bodies.ts';
import {
  type Bystander,
  bystanderBoundMs,
  printFigures,
  startBystander,
} from '../support/attacks/bystander.ts';
import { type KeyHolder, keyHolder, newTeam } from '../support/http/key-holder.ts';
import { exchange } from '../support/rpc/caller-tokens.ts';
import { rpcCall } from '../support/rpc/rpc-call.ts';
import { asAdministrator } from '../support/service/as-administrator.ts';
import { sharedService } from '../support/service/shared-service.ts';

/**
 * Members of a team who want to learn the figures of one of them from rollups: by making members up, by changing what
 * is theirs, by waiting until others come, go and change, and by asking for different spans.
 */

const service = sharedService({ environment: {} });
let bystander: Bystander;
beforeAll(async () => {
  bystander = await startBystander(service(), await service().createTeam());
});
afterAll(async () => {
  const seen = await bystander.stop();
  printFigures('rollup differencing', seen);
  expect(seen.failures).toEqual([]);
  expect(seen.worstMs).toBeLessThan(bystanderBoundMs);
});

const dayMs = 24 * 60 * 60 * 1000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);

/** Signals that put a member at a level of L1 to L4 and every axis near a figure of 0 to 4; no axis is a half. */
function measured(share: number, changes: object = {}) {
  const signals = {
    verify_tool_rate: 0.3 * share,
    error_rate: 0.25 - 0.23 * share,
    cache_hit_rate: 0.3 + 0.6 * share,
    tokens_per_task: 200_000 - 180_000 * share,
    delegation_ratio: 0.5 * share,
    subagent_usage: 0.4 * share,
    tool_diversity: 2 + 10 * share,
    correction_loop_avg: 40 - 35 * share,
    cost_per_task: 3 - 2.75 * share,
  };
  return snapshot({ signals, provisional: undefined, ...changes });
}
const lowest = (changes: object = {}) => snapshot({ sessions: 0, ...changes });
const highest = (changes: object = {}) => measured(1, changes);

interface Placement {
  spines: Record<string, number>;
  medianAxes: Record<string, number>;
  members: number;
  withheld?: boolean;
}
interface Rollup {
  current: Placement;
  trend: { week: string; placement: Placement }[];
}

/** A team of members without a role, each with an own key; `root` is an administrator of it. */
async function teamOf<Handle extends string>(...handles: Handle[]) {
  const team = await newTeam(service());
  const members = {} as Record<Handle, KeyHolder>;
  for (const handle of handles) {
    const { key } = await asAdministrator(service(), async (admin) => {
      await admin.addMember({ team: team.slug, handle, role: 'member' });
      return admin.createKey({ team: team.slug, member: handle, tier: 'team' });
    });
    members[handle] = keyHolder(service(), team, key);
  }
  return { members, root: team.team, guest: team.external };
}

async function push(as: KeyHolder, body: unknown): Promise<Record<string, number>> {
  const { status, body: answer } = await as.call('/metrics', { body });
  expect(status).toBe(200);
  return answer.canonical;
}

async function callRollup(as: KeyHolder, weeks: number) {
  const authorization = await exchange(service(), as.key, 'analytics');
  const method = 'teammemory.analytics.v1.AnalyticsService/GetRollup';
  return rpcCall({
    rpcUrl: service().rpcUrl,
    protocol: 'connect',
    method,
    message: { weeks },
    authorization,
  });
}

async function rollup(as: KeyHolder, weeks = 12): Promise<Rollup> {
  const { code, message } = await callRollup(as, weeks);
  expect(code).toBe('ok');
  return message;
}

/** Everything that the figures of a rollup say, so that two can be compared. */
const figuresOf = ({ current, trend }: Rollup) =>
  JSON.stringify(
    [current, ...trend.map(({ placement }) => placement)].map(({ spines, medianAxes }) => [
      spines,
      medianAxes,
    ]),
  );

test('one member who makes up the lowest and the highest learns nothing of the third', async () => {
  const { members } = await teamOf('mallory', 'bob', 'carol');
  await push(members.carol, measured(0.61));
  await push(members.mallory, lowest());
  await push(members.mallory, highest({ member: 'bob' }));
  expect((await rollup(members.mallory)).current).toMatchObject({ members: 2, withheld: true });
  // Not in any span, and not with more days or another spelling of the handle.
  for (const days of [0, 1, 7, 14])
    await push(members.mallory, highest({ member: 'BOB', date: daysAgo(days) }));
  for (const weeks of [1, 2, 12, 53]) {
    const { current, trend } = await rollup(members.mallory, weeks);
    for (const { withheld } of [current, ...trend.map(({ placement }) => placement)])
      expect(withheld).toBe(true);
  }
});

test('three honest members are shown, and no figure is that of one of them', async () => {
  const { members } = await teamOf('ann', 'bob', 'carol');
  const placements = [];
  for (const [handle, share] of [
    ['ann', 0.21],
    ['bob', 0.47],
    ['carol', 0.83],
  ] as const) {
    placements.push(await push(members[handle], measured(share)));
  }
  const { current } = await rollup(members.ann);
  expect(current).toMatchObject({ members: 3 });
  expect(Object.values(current.spines).reduce((sum, count) => sum + count, 0)).toBe(3);
  for (const { axes } of placements as unknown as { axes: Record<string, number> }[]) {
    for (const [axis, value] of Object.entries(axes)) expect(current.medianAxes[axis]).not.toBe(value);
  }
});

test('a member who changes the own figures sees no other rollup, however often', async () => {
  const { members } = await teamOf('mallory', 'bob', 'carol');
  await push(members.bob, measured(0.3));
  await push(members.carol, measured(0.6));
  await push(members.mallory, lowest());
  const seen = new Set([figuresOf(await rollup(members.mallory))]);
  for (const share of [1, 0.8, 0.5, 0.2, 0]) {
    await push(members.mallory, measured(share));
    seen.add(figuresOf(await rollup(members.mallory)));
  }
  expect(seen.size).toBe(1);
});

test('two who act together see one rollup, whatever they change, and thirds of other figures see the same', async () => {
  const shown = new Map<string, number[]>();
  for (const share of [0.36, 0.4, 0.45]) {
    const { members } = await teamOf('mallory', 'trudy', 'carol');
    const { axes } = (await push(members.carol, measured(share))) as unknown as {
      axes: Record<string, number>;
    };
    await push(members.mallory, lowest());
    await push(members.trudy, highest());
    const first = figuresOf(await rollup(members.mallory));
    shown.set(first, [...(shown.get(first) ?? []), axes.verification as number]);
    for (const [mallory, trudy] of [
      [0, 0],
      [1, 1],
      [0.5, 0.9],
    ] as const) {
      await push(members.mallory, measured(mallory));
      await push(members.trudy, measured(trudy));
      expect(figuresOf(await rollup(members.trudy))).toBe(first);
    }
  }
  // Members of different figures cannot be told apart by what the two see.
  expect(shown.size).toBe(1);
});

test('two who act together learn no more from week to week of a third who stays the same', async () => {
  const { members } = await teamOf('mallory', 'trudy', 'carol');
  const pairs = [
    [0, 1],
    [0.3, 0.9],
    [0.7, 0.2],
    [1, 0.5],
  ] as const;
  for (const [week, [mallory, trudy]] of pairs.entries()) {
    const date = daysAgo(7 * week);
    await push(members.carol, measured(0.4, { date }));
    await push(members.mallory, measured(mallory, { date }));
    await push(members.trudy, measured(trudy, { date }));
  }
  const { current, trend } = await rollup(members.mallory, 6);
  const shown = [current, ...trend.map(({ placement }) => placement)].filter(({ withheld }) => !withheld);
  expect(shown).toHaveLength(5);
  const figures = shown.map(({ spines, medianAxes }) => JSON.stringify([spines, medianAxes]));
  expect(new Set(figures).size).toBe(1);
});

test('who joins or leaves is not shown by the difference, now, over weeks or between spans', async () => {
  const { members } = await teamOf('ann', 'bob', 'carol', 'dora', 'eve');
  const three = ['ann', 'bob', 'carol'] as const;
  for (const [week, shares] of [
    [21, [0.2, 0.4, 0.6]],
    [14, [0.7, 0.1, 0.9]],
    [0, [0.5, 0.6, 0.3]],
  ] as const) {
    for (const [index, handle] of three.entries())
      await push(members[handle], measured(shares[index] as number, { date: daysAgo(week) }));
  }
  const before = await rollup(members.ann);
  // One joins, now and in the weeks before; a second one does.
  for (const week of [21, 14, 0]) await push(members.dora, highest({ date: daysAgo(week) }));
  expect(figuresOf(await rollup(members.ann))).toBe(figuresOf(before));
  await push(members.eve, lowest());
  const joined = await rollup(members.ann);
  expect(figuresOf(joined)).toBe(figuresOf(before));
  expect(joined.current.members).toBe(5);
  // One week has one member fewer than another: what is shown of both is the same.
  for (const handle of ['ann', 'bob'] as const)
    await push(members[handle], measured(0.5, { date: daysAgo(28) }));
  await push(members.dora, highest({ date: daysAgo(28) }));
  const spans = await Promise.all([1, 2, 3, 5, 12].map((weeks) => rollup(members.eve, weeks)));
  const shown = spans.flatMap(({ current, trend }) => [current, ...trend.map(({ placement }) => placement)]);
  const medians = shown
    .filter(({ withheld }) => !withheld)
    .map(({ medianAxes }) => JSON.stringify(medianAxes));
  // The groups of five weeks, and no more than that for all the spans that end today.
  expect(new Set(medians).size).toBeLessThanOrEqual(4);
});

test('three who change are shown, so that rollups of honest members go on', async () => {
  const { members } = await teamOf('ann', 'bob', 'carol');
  for (const as of Object.values(members)) await push(as, measured(0.1));
  expect((await rollup(members.ann)).current).toMatchObject({ spines: { L2: 3 } });
  for (const as of Object.values(members)) await push(as, measured(0.9));
  expect((await rollup(members.ann)).current).toMatchObject({ spines: { L4: 3 } });
});

test('pushing over what others pushed neither removes their figures nor puts others in their place', async () => {
  const { members, root } = await teamOf('mallory', 'bob', 'carol');
  for (const handle of ['bob', 'carol', 'mallory'] as const) await push(members[handle], measured(0.9));
  const before = await rollup(members.bob);
  for (const member of ['bob', 'carol']) await push(members.mallory, lowest({ member }));
  await push(members.bob, lowest({ member: 'mallory' }));
  const after = await rollup(members.bob);
  expect(figuresOf(after)).toBe(figuresOf(before));
  expect(after.current.members).toBe(3);
  // The first three figures that count since are those of an administrator.
  for (const member of ['bob', 'carol', 'mallory']) await push(root, measured(0.1, { member }));
  expect((await rollup(members.bob)).current).toMatchObject({ members: 3, spines: { L2: 3 } });
});

test("an administrator's import makes a cohort, and a guest's key reads and pushes nothing", async () => {
  const { members, root, guest } = await teamOf('ann', 'bob', 'carol');
  for (const member of ['ann', 'bob', 'carol']) await push(root, measured(0.5, { member }));
  expect((await rollup(members.ann)).current).toMatchObject({ members: 3 });
  expect((await guest.call('/metrics', { body: snapshot() })).status).toBe(403);
  expect((await callRollup(guest, 1)).code).toBe('permission_denied');
});

test('a day in the future is refused, so that nobody pins what is newest', async () => {
  const { members } = await teamOf('ann');
  const { status, body } = await members.ann.call('/metrics', { body: snapshot({ date: daysAgo(-3) }) });
  expect({ status, errors: body.errors }).toMatchObject({ status: 422, errors: [{ pointer: '/date' }] });
});
