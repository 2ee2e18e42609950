import { beforeEach, describe, expect, it } from 'vitest';
import type { FakeService } from './testing/fake-service.fixture.ts';
import { contents, createPair, createReplica, type Replica } from './testing/replica.fixture.ts';

let service: FakeService;
let ada: Replica;
let bob: Replica;
beforeEach(async () => {
  ({ service, ada, bob } = await createPair());
});

describe('tiers', () => {
  it('a change is told, and an old copy of what became internal does not publish it again', async () => {
    ada.write('a.md', '---\naudience: external\n---\none\n');
    await ada.sync();
    expect(service.items().get('a.md')?.tier).toBe('external');
    service.changeTier('a.md', 'team');
    ada.write('a.md', '---\naudience: external\n---\none\ntwo\n');
    expect(await ada.sync({ tier: 'external' })).toMatchObject({
      tier_changes: [{ row_key: 'a.md', from: 'external', to: 'team' }],
    });
    expect(service.items().get('a.md')).toMatchObject({ tier: 'team', content: 'one\ntwo\n' });
    ada.move('a.md', 'b.md');
    await ada.sync();
    expect(service.items().get('b.md')?.tier).toBe('team');
    await ada.sync({ tier: 'external', paths: ['b.md'] });
    expect(service.items().get('b.md')?.tier).toBe('external');
  });

  it('an edit of the audience publishes', async () => {
    ada.write('a.md', '---\naudience: team\n---\none\n');
    await ada.sync();
    ada.write('a.md', '---\naudience: external\n---\none\n');
    await ada.sync();
    expect(service.items().get('a.md')?.tier).toBe('external');
  });

  it('what others removed is made again for the team only', async () => {
    ada.write('a.md', '---\naudience: external\n---\none\n');
    await ada.sync();
    service.remove('a.md', undefined);
    ada.write('a.md', '---\naudience: external\n---\none\ntwo\n');
    await ada.sync();
    expect(service.items().get('a.md')?.tier).toBe('team');
  });

  it('a guest’s key pushes external items', async () => {
    const guest = await createReplica(service, { root: '/guest', tier: 'external' });
    guest.write('a.md', 'a\n');
    await guest.sync();
    expect(service.items().get('a.md')?.tier).toBe('external');
  });
});

describe('names on this file system', () => {
  it('a file becomes a folder and a folder a file', async () => {
    ada.write('x.md', 'file\n');
    ada.write('y.md/inner.md', 'inner\n');
    await ada.sync();
    await bob.sync();
    ada.move('x.md', 'x.md.tmp');
    ada.move('x.md.tmp', 'x.md/inner.md');
    ada.move('y.md/inner.md', 'tmp.md');
    ada.drop('y.md');
    ada.move('tmp.md', 'y.md');
    await ada.sync();
    await bob.sync();
    expect(contents(bob)).toEqual({ 'x.md/inner.md': 'file\n', 'y.md': 'inner\n' });
    expect((await bob.sync()).skipped).toEqual([]);
  });

  it('a name that both a file and a folder would have is told, and the rest goes on', async () => {
    service.put('a.md', 'file\n');
    service.put('a.md/b.md', 'below\n');
    service.put('c.md', 'c\n');
    const { written, skipped } = await ada.sync();
    expect(written).toEqual(['a.md', 'c.md']);
    expect(skipped).toMatchObject([{ row_key: 'a.md/b.md', code: 'blocked' }]);
  });

  it('a change of case is a rename, also where both names are one file', async () => {
    const { createMemoryFileSystem } = await import('./testing/memory-file-system.fixture.ts');
    const mac = await createReplica(service, {
      disk: createMemoryFileSystem({ ignoresCase: true }),
      root: '/mac',
    });
    ada.write('Plan.md', 'plan\n');
    await ada.sync();
    await mac.sync();
    ada.move('Plan.md', 'plan.md');
    expect(await ada.sync()).toMatchObject({ renamed: [{ from: 'Plan.md', to: 'plan.md' }] });
    await mac.sync();
    expect(contents(mac)).toEqual({ 'plan.md': 'plan\n' });
    mac.move('plan.md', 'PLAN.md');
    expect(await mac.sync()).toMatchObject({ renamed: [{ from: 'plan.md', to: 'PLAN.md' }] });
    await ada.sync();
    expect(contents(ada)).toEqual({ 'PLAN.md': 'plan\n' });
    service.put('Plan.md', 'another\n');
    expect(await mac.sync()).toMatchObject({
      written: [],
      skipped: [{ row_key: 'Plan.md', code: 'case_collision' }],
    });
    expect(contents(mac)).toEqual({ 'PLAN.md': 'plan\n' });
  });

  it('folders that differ only in case do not rename each other for ever', async () => {
    const { createMemoryFileSystem } = await import('./testing/memory-file-system.fixture.ts');
    const mac = await createReplica(service, {
      disk: createMemoryFileSystem({ ignoresCase: true }),
      root: '/mac',
    });
    mac.write('Docs/a.md', 'a\n');
    await mac.sync();
    service.put('docs/b.md', 'b\n');
    await mac.sync();
    expect(await mac.sync()).toMatchObject({ renamed: [], pushed: [], removed_there: [], unchanged: 2 });
    expect([...service.items().keys()].sort()).toEqual(['Docs/a.md', 'docs/b.md']);
  });
});
