import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDecision } from './domain/create-decision.ts';
import { deleteItem } from './domain/delete-item.ts';
import { editDecision } from './domain/edit-decision.ts';
import { checksumOf, itemDraft } from './domain/item.fixture.ts';
import type { ItemStore } from './domain/item-store.ts';
import { createItemWriter } from './domain/item-writer.ts';
import { listItems, pageJson } from './domain/list-items.ts';
import { createProjection, type Projection } from './domain/projection.ts';
import { pushItems } from './domain/push-items.ts';
import type { DecisionFields } from './domain/team-decision.ts';
import type { Tier } from './domain/tier.ts';
import { type ContentStores, openContentStores } from './store/open-stores.ts';

const team = 'team';
const identity = ({ title, task_id }: Row) => `${title} ${task_id}`;
const ada = { tier: 'team', handle: 'ada' } as const;
const clock = () => 1_000;
const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

interface Row {
  task_id: string;
  title: string;
  updated_at: string;
  deleted?: true;
}

describeEachEngine('tasks', (engine) => {
  let stores: ContentStores;
  let projection: Projection;
  let pushed = 0;

  beforeEach(async () => {
    stores = await openContentStores(engine.storage());
    projection = createProjection({ ...stores, clock });
  });
  afterEach(async () => {
    await projection.close();
    await stores.close();
  });

  const writer = () => createItemWriter({ items: stores.items, clock, itemHistory: 2 });
  const decisionWriter = () => createItemWriter({ items: stores.decisions, clock, itemHistory: 2 });

  async function push(content: string, changed: Parameters<typeof itemDraft>[0] = {}): Promise<void> {
    pushed += 1;
    const checksum = checksumOf((pushed % 16).toString(16));
    const draft = itemDraft({ rowKey: 'tasks.md', content, checksum, ...changed });
    expect(await pushItems({ writer: writer() }, team, ada, [draft])).toMatchObject({ written: 1 });
  }

  /** The rows that a key of a tier gets, removed ones included. */
  async function read(tier: Tier = 'team', from: Projection = projection): Promise<Row[]> {
    await from.catchUp(team);
    const query = { sinceMs: undefined, cursor: '', limit: 200, includeDeleted: true };
    const { rows } = await listItems({ items: stores.tasks }, { teamId: team, tier }, query, 'tasks');
    return JSON.parse(Buffer.from(pageJson(rows, 'task_id')).toString());
  }
  /** As a process leaves it that died between its rows and its place. */
  function forgetful(): Projection {
    const place = { tasksSeq: 0, itemsSeq: 0, decisionsSeq: 0 };
    return createProjection({
      ...stores,
      clock,
      places: { place: async () => place, keep: async () => undefined },
    });
  }
  const live = async () => (await read()).filter(({ deleted }) => !deleted);
  const idsByTitle = async () => new Map((await live()).map(({ title, task_id }) => [title, task_id]));
  const fields = (changed: Partial<DecisionFields> = {}): DecisionFields => ({
    title: 'Use SQLite',
    body: '- [ ] tell everyone',
    status: 'accepted',
    audience: 'team',
    project: null,
    decidedOn: null,
    hidden: false,
    ...changed,
  });

  describe('tasks', () => {
    test('have all that the contract names', async () => {
      await push('# Now\n\n- [x] Ship @ada due:2026-12-01 #a +web\n', { rowKey: 'projects/api/todo.md' });
      expect(await read()).toEqual([
        {
          task_id: expect.stringMatching(uuidV7),
          title: 'Ship',
          status: 'done',
          owner: 'ada',
          due: '2026-12-01',
          project: 'web',
          tags: ['a'],
          tier: 'team',
          source: { row_key: 'projects/api/todo.md', line: 3, heading: 'Now' },
          updated_at: '1970-01-01T00:00:01.000Z',
        },
      ]);
    });

    test('belong to the project of their item where they name none', async () => {
      await push('- [ ] a', { frontmatterJson: '{"project":"web"}', rowKey: 'projects/api/todo.md' });
      expect(await read()).toMatchObject([{ project: 'web' }]);
    });

    test('of items that are no logs do not exist, and go when a log stops being one', async () => {
      await push('- [ ] a', { rowKey: 'notes.md' });
      expect(await read()).toEqual([]);
      await push('- [ ] a', { rowKey: 'notes.md', frontmatterJson: '{"type":"task-log"}' });
      expect(await read()).toMatchObject([{ title: 'a' }]);
      await push('- [ ] a', { rowKey: 'notes.md' });
      expect(await read()).toMatchObject([{ deleted: true }]);
    });

    test('keep their ids while lines move, boxes tick and titles are edited', async () => {
      await push('- [ ] Buy milk\n- [ ] Write the report\n- [ ] Call Ann\n');
      const before = await idsByTitle();
      await push('# Later\n\n- [x] Call Ann\n- [ ] Write the report today\n- [-] Buy milk\n');
      const after = await idsByTitle();
      expect(after.get('Call Ann')).toBe(before.get('Call Ann'));
      expect(after.get('Buy milk')).toBe(before.get('Buy milk'));
      expect(after.get('Write the report today')).toBe(before.get('Write the report'));
    });

    test('that did not change keep their row', async () => {
      await push('- [ ] a\n- [ ] b\n');
      const before = await read();
      await push('- [ ] a\n- [x] b\n');
      expect((await read())[0]).toEqual(before[0]);
    });

    test('that are gone come once as removed rows with nothing but their id', async () => {
      await push('- [ ] a\n- [ ] b\n');
      const ids = await idsByTitle();
      await push('- [ ] b\n');
      const updated_at = expect.any(String);
      expect((await read()).filter(({ deleted }) => deleted)).toEqual([
        { task_id: ids.get('a'), updated_at, deleted: true },
      ]);
      await deleteItem({ writer: writer() }, team, ada, 'tasks.md');
      expect((await read()).map(({ deleted }) => deleted)).toEqual([true, true]);
    });

    test('of an item that is made internal leave the sight of external keys once', async () => {
      await push('- [ ] a\n', { tier: 'external' });
      const [shown] = await read('external');
      await push('- [ ] a secret\n', { tier: 'team' });
      const hidden = await read('external');
      expect(hidden).toEqual([{ task_id: shown?.task_id, updated_at: expect.any(String), deleted: true }]);
      await push('- [x] a secret\n', { tier: 'team' });
      expect(await read('external')).toEqual(hidden);
    });

    test('come from bodies of decisions, for those who may see the decision', async () => {
      const by = { writer: decisionWriter() };
      const { decisionId } = await createDecision(by, team, 'x', fields({ project: 'web' }));
      const source = { row_key: null, line: 1, heading: null, decision_id: decisionId };
      expect(await read()).toMatchObject([{ title: 'tell everyone', project: 'web', source }]);
      expect(await read('external')).toEqual([]);
      const edit = (changed: Partial<DecisionFields>) =>
        editDecision({ ...by, ...stores }, team, 'x', { decisionId, baseUpdatedAtMs: undefined, changed });
      await edit({ audience: 'external' });
      expect(await read('external')).toMatchObject([{ title: 'tell everyone', tier: 'external' }]);
      await edit({ hidden: true });
      expect(await read('external')).toMatchObject([{ deleted: true }]);
    });

    describe('that come back with the title they had', () => {
      const titles = ['call', 'call', 'write'];

      test('have their ids again, in their order, where a decision is shown again', async () => {
        const body = '- [x] call @ada\n- [ ] call @bob\n- [ ] write\n';
        const by = { writer: decisionWriter() };
        const { decisionId } = await createDecision(by, team, 'x', fields({ body }));
        const before = (await live()).map(identity);
        const edit = (changed: Partial<DecisionFields>) =>
          editDecision({ ...by, ...stores }, team, 'x', { decisionId, baseUpdatedAtMs: undefined, changed });
        await edit({ hidden: true });
        expect(await live()).toEqual([]);
        await edit({ hidden: false });
        expect((await live()).map(identity)).toEqual(before);
      });

      test('have their ids again where an item is pushed again or a line is added again', async () => {
        await push('- [ ] call\n- [ ] write\n- [x] call\n');
        const before = (await live()).map(identity).sort();
        await deleteItem({ writer: writer() }, team, ada, 'tasks.md');
        expect(await live()).toEqual([]);
        await push('# Again\n\n- [ ] Call!\n- [ ] write\n');
        await push('- [ ] new\n\n- [ ] write\n- [ ] call\n- [ ] call\n');
        const known = (await live()).filter(({ title }) => titles.includes(title));
        expect(known.map(identity).sort()).toEqual(before);
      });

      test('are taken newest first, one for each entry', async () => {
        const call = '- [ ] call\n';
        const idsWith = async (content: string) => {
          await push(content);
          return (await live()).map(({ task_id }) => task_id);
        };
        const [first, second] = await idsWith(call + call);
        expect(await idsWith(call)).toEqual([first]);
        expect(await idsWith('')).toEqual([]);
        expect(await idsWith(call)).toEqual([first]);
        expect(await idsWith(call + call + call)).toEqual([first, second, expect.stringMatching(uuidV7)]);
      });

      test('keep their ids when everything is worked in again', async () => {
        await push('- [ ] a\n- [ ] b\n');
        await read();
        await push('- [ ] b\n');
        await read();
        await push('- [ ] b\n- [ ] a\n');
        const before = await read();
        expect(before).toHaveLength(2);
        expect(await read('team', forgetful())).toEqual(before);
      });

      test('are new tasks for external keys that never saw the old ones', async () => {
        await push('- [ ] secret\n');
        const [hidden] = await live();
        await deleteItem({ writer: writer() }, team, ada, 'tasks.md');
        await read();
        await push('- [ ] secret\n', { tier: 'external' });
        const [guessed] = await read('external');
        expect(guessed).toMatchObject({ title: 'secret' });
        expect(guessed?.task_id).not.toBe(hidden?.task_id);
      });

      test('are new tasks where their removed rows do not say what they were', async () => {
        await push('- [ ] a\n');
        const [removed] = await live();
        await push('');
        await read();
        await push('- [ ] a\n');
        const tasks: ItemStore = {
          ...stores.tasks,
          async removedStartingWith(...range) {
            const rows = await stores.tasks.removedStartingWith(...range);
            return rows.map((row) => ({ ...row, json: new Uint8Array() }));
          },
        };
        await createProjection({ ...stores, clock, tasks }).catchUp(team);
        expect(await read()).toMatchObject([{ task_id: removed?.task_id, deleted: true }, { title: 'a' }]);
      });
    });

    test('of many items and long logs are all there', async () => {
      const lines = Array.from({ length: 900 }, (_, index) => `- [ ] task ${index}\n`).join('');
      const drafts = Array.from({ length: 45 }, (_, index) =>
        itemDraft({ rowKey: `${index}/todo.md`, content: `- [ ] of ${index}` }),
      );
      await pushItems({ writer: writer() }, team, ada, drafts);
      await push(lines);
      await projection.catchUp(team);
      expect((await stores.tasks.head(team)).seq).toBe(945);
    });
  });

  describe('what follows the feeds', () => {
    test('changes nothing when everything is worked in again', async () => {
      await push('- [ ] a\n- [ ] a\n- [ ] b\n');
      await createDecision({ writer: decisionWriter() }, team, 'x', fields());
      const before = await read();
      expect(await read('team', forgetful())).toEqual(before);
    });

    test('goes on where another process stopped between its rows and its place', async () => {
      await push('- [ ] a\n');
      const dying = createProjection({
        ...stores,
        clock,
        places: { ...stores.places, keep: () => Promise.reject(new Error('dies here')) },
      });
      await expect(dying.catchUp(team)).rejects.toThrow('dies here');
      await push('- [ ] b\n');
      expect(await live()).toMatchObject([{ title: 'b' }]);
    });

    test('does not write what it planned on an old version after another process worked in a newer one', async () => {
      await push('- [ ] old\n');
      const reached = Promise.withResolvers<void>();
      const held = Promise.withResolvers<void>();
      const stalling = createProjection({
        ...stores,
        clock,
        tasks: {
          ...stores.tasks,
          async append(...change) {
            reached.resolve();
            await held.promise;
            return stores.tasks.append(...change);
          },
        },
      });
      const stalled = stalling.catchUp(team);
      await reached.promise;
      await push('- [ ] new\n');
      const [row] = await live();
      held.resolve();
      await stalled;
      expect(await read()).toEqual([row]);
      expect(row?.title).toBe('new');
    });

    test('in several processes at once makes each task once', async () => {
      const processes = Array.from({ length: 3 }, () => createProjection({ ...stores, clock }));
      for (let round = 0; round < 5; round += 1) {
        await push(`- [ ] first\n- [ ] round ${round}\n`);
        await Promise.all(processes.map(({ catchUp }) => catchUp(team)));
      }
      expect((await live()).map(({ title }) => title).sort()).toEqual(['first', 'round 4']);
    });

    test('works in what was written without being asked for it', async () => {
      await push('- [ ] a\n');
      projection.nudge(team);
      projection.nudge(team);
      await eventually('the task', async () => (await stores.tasks.head(team)).seq === 1);
    });

    test('sees what was written before it was asked, whatever is under way', async () => {
      const first = projection.catchUp(team);
      await push('- [ ] a\n');
      expect(await live()).toHaveLength(1);
      await first;
    });
  });
});
