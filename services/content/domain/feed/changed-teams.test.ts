import { AppError } from '@teammemory/errors/app-error.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { describeOnMongo } from '@teammemory/testkit/describe-on-mongo.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { recordedMongo } from '@teammemory/testkit/recorded-mongo.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Follower, follower } from './changed-teams.fixture.ts';
import { createReadMarks, markOpenMs, maxPageMarks, type TeamMark } from './team-marks.ts';

const second = 1_000;

describeEachEngine('changed teams', (engine) => {
  let world: Follower;
  beforeEach(async () => {
    world = await follower(engine.storage());
  });
  afterEach(() => world.close());

  test('a team is told of once for each change, and no other is', async () => {
    expect(await world.look()).toEqual([]);
    await world.write('blue');
    await world.write('green');
    expect(await world.look()).toEqual(['blue', 'green']);
    world.wait(second);
    expect(await world.look()).toEqual([]);
    await world.write('blue');
    expect(await world.look()).toEqual(['blue']);
    world.wait(second);
    await world.write('blue', 'b.md');
    expect(await world.look()).toEqual(['blue']);
    expect(world.errors).toEqual([]);
  });

  test('rows that come after their mark are told, as late as a write may be, and then nothing is read any more', async () => {
    await world.stores.marks.mark('blue');
    let reads = 0;
    const { head } = world.stores.items;
    expect(await world.look()).toEqual(['blue']);
    // The row of a writer that made its mark before, and was slow.
    const { mark } = world.stores.marks;
    world.stores.marks.mark = async () => undefined;
    world.wait(markOpenMs);
    await world.write('blue');
    world.stores.marks.mark = mark;
    expect(await world.look()).toEqual(['blue']);
    world.wait(second);
    await world.look();
    world.wait(markOpenMs);
    await world.look();
    world.stores.items.head = (teamId) => {
      reads += 1;
      return head(teamId);
    };
    world.wait(second);
    expect(await world.look()).toEqual([]);
    expect(reads).toBe(0);
  });

  test('a look or a read that fails loses no change', async () => {
    await world.look();
    const { marks, items } = world.stores;
    const { after } = marks;
    const { head } = items;
    const away = () => Promise.reject(new AppError('unavailable', 'The store is away.'));
    await world.write('blue');
    marks.after = away;
    await expect(world.look()).rejects.toMatchObject({ code: 'unavailable' });
    marks.after = after;
    items.head = away;
    expect(await world.look()).toEqual([]);
    world.wait(2 * markOpenMs);
    expect(await world.look()).toEqual([]);
    items.head = head;
    expect(await world.look()).toEqual(['blue']);
    expect(world.errors).not.toEqual([]);
  });

  test('what a process of a version without marks wrote is told within ten seconds', async () => {
    await world.look();
    await world.stores.progress.keep('old', { tasksSeq: 0, itemsSeq: 3, decisionsSeq: 0, taskForm: 1 });
    await eventually('it to be listed', async () => (await world.stores.progress.all('', 1)).length > 0);
    expect(await world.look()).toEqual([]);
    world.wait(10 * second);
    expect(await world.look()).toEqual(['old']);
  });
});

describeOnMongo('changed teams', (connection) => {
  test('what another process wrote is told, also if it was killed right after', async () => {
    const storage = { engine: 'mongodb', connection: connection() } as const;
    const [killed, survivor] = [await follower(storage), await follower(storage)];
    await survivor.look();
    await killed.write('blue');
    expect(await survivor.look()).toEqual(['blue']);
    await killed.close();
    await survivor.close();
  });

  test('sixty idle teams with many listeners cost as many commands as three with one', async () => {
    const commandsWith = async (teams: number, listeners: number): Promise<string[]> => {
      const { connection: recorded, asked } = recordedMongo(connection());
      const world = await follower({ engine: 'mongodb', connection: recorded });
      for (let team = 0; team < teams; team += 1) await world.write(`team ${team} of ${teams}`);
      for (let listener = 1; listener < listeners; listener += 1) world.changed.follow(() => undefined);
      await world.look();
      world.wait(markOpenMs);
      await world.look();
      asked.length = 0;
      for (let look = 0; look < 20; look += 1) {
        world.wait(second);
        expect(await world.look()).toEqual([]);
      }
      await world.close();
      return asked;
    };
    const few = await commandsWith(3, 1);
    expect(await commandsWith(60, 500)).toEqual(few);
    expect(few).toHaveLength(22);
  }, 60_000);
});

test('marks of more than a page, and of one moment over the end of a page, are all read, and each once', async () => {
  const stored: TeamMark[] = [];
  const marks = {
    mark: async () => undefined,
    after: async (at: number) => stored.filter((mark) => mark.at > at).slice(0, maxPageMarks),
    newestAt: async () => stored.at(-1)?.at ?? 0,
  };
  let nowMs = 0;
  const read = createReadMarks(marks, () => nowMs);
  await read();
  for (let team = 0; team < 3_500; team += 1) {
    stored.push({ teamId: `${team}`, at: 10_000 + Math.floor(team / 300) });
  }
  expect((await read()).length).toBe(3_500);
  expect(await read()).toEqual([]);
  for (let moved = 0; moved < 3; moved += 1) {
    nowMs += 15_000;
    expect(await read()).toEqual([]);
  }
  stored.push({ teamId: '7', at: 20_000 });
  expect(await read()).toEqual(['7']);
});
