import { ProblemError } from '@teammemory/client/problem-error.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { checksumOf } from './format/checksum.ts';
import { changed, type FileSystem } from './state/file-system.ts';
import { createFakeService, type FakeService } from './testing/fake-service.fixture.ts';
import { createReplica, type Replica } from './testing/replica.fixture.ts';

let service: FakeService;
let ada: Replica;
beforeEach(async () => {
  service = createFakeService();
  ada = await createReplica(service, { member: 'ada' });
});

const many = (count: number) => Array.from({ length: count }, (_, number) => `n${number}.md`);

describe('limits and refusals', () => {
  it('refused items are told one by one, and the others go on', async () => {
    const picky = await createReplica(service, {
      root: '/picky',
      before: (call, items) => {
        if (call !== 'pushItems') return;
        for (const item of items as { row_key: string; tier: string; checksum: string }[]) {
          if (item.row_key === 'b.md') item.tier = 'external';
        }
      },
    });
    for (const name of ['a.md', 'b.md', 'c.md']) picky.write(name, `${name}\n`);
    const push = service.push;
    service.push = (item, member) =>
      item.tier === 'external' ? { code: 'forbidden_tier', detail: 'No.' } : push(item, member);
    expect(await picky.sync()).toMatchObject({
      pushed: ['a.md', 'c.md'],
      rejected: [{ row_key: 'b.md', code: 'forbidden_tier' }],
    });
  });

  it('500 files go in batches of at most 200, each file once', async () => {
    const sizes: number[] = [];
    const big = await createReplica(service, {
      root: '/big',
      before: (call, items) => {
        if (call === 'pushItems') sizes.push((items as unknown[]).length);
      },
    });
    for (const name of many(500)) big.write(name, `${name}\n`);
    expect((await big.sync()).pushed).toHaveLength(500);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(500);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(200);
    expect(big.events.filter(({ kind }) => kind === 'done')).toHaveLength(500);
  });

  it('the item that a push sends names the version that it replaces', async () => {
    const bases: (string | null)[] = [];
    const client = await createReplica(service, {
      root: '/bases',
      before: (call, items) => {
        if (call === 'pushItems')
          bases.push(...(items as { base_checksum: string | null }[]).map((one) => one.base_checksum));
      },
    });
    client.write('a.md', 'one\n');
    await client.sync();
    client.write('a.md', 'two\n');
    await client.sync();
    expect(bases).toEqual([null, checksumOf(Buffer.from('one\n'))]);
  });

  it('a batch that is larger than the limit is split, without waiting for what never fits', async () => {
    const sizes: number[] = [];
    const small = await createReplica(service, {
      root: '/small',
      before: (call, items) => {
        if (call !== 'pushItems') return;
        const { length } = items as unknown[];
        if (length > 25) throw rateLimited(60, 25);
        sizes.push(length);
      },
    });
    for (const name of many(60)) small.write(name, `${name}\n`);
    expect((await small.sync()).pushed).toHaveLength(60);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(25);
    expect(small.events.some(({ kind }) => kind === 'waiting')).toBe(false);
  });

  it('at the write limit the run waits as long as the service asks, tells it, and goes on', async () => {
    let refusals = 1;
    const busy = await createReplica(service, {
      root: '/busy',
      before: (call) => {
        if (call === 'pushItems' && refusals-- > 0) throw rateLimited(1, 60);
      },
    });
    busy.write('a.md', 'a\n');
    expect(await busy.sync()).toMatchObject({ pushed: ['a.md'] });
    expect(busy.events).toContainEqual({ kind: 'waiting', seconds: 1, writes_per_minute: 60 });
  });

  it('a key that may only read still pulls', async () => {
    service.put('theirs.md', 'theirs\n');
    const reader = await createReplica(service, {
      root: '/reader',
      access: 'read',
      before: (call) => {
        if (call !== 'pushItems') return;
        throw new ProblemError({ status: 403, code: 'forbidden_access', detail: 'This key may only read.' });
      },
    });
    reader.write('mine.md', 'mine\n');
    expect(await reader.sync()).toMatchObject({
      written: ['theirs.md'],
      rejected: [{ row_key: 'mine.md', code: 'forbidden_access' }],
    });
  });
});

describe('with a key that proposes', () => {
  it('a file waits here, stays as it is, and is in step once a reviewer has accepted it', async () => {
    service.put('theirs.md', 'theirs\n');
    const agent = await createReplica(service, { root: '/agent', access: 'propose' });
    agent.write('mine.md', 'mine\n');
    const waits = { pushed: [], rejected: [], skipped: [{ row_key: 'mine.md', code: 'proposed' }] };
    for (const _time of ['first', 'second']) expect(await agent.sync()).toMatchObject(waits);
    agent.write('theirs.md', 'changed\n');
    agent.move('mine.md', 'moved.md');
    const both = await agent.sync();
    expect(both.skipped.map(({ row_key }) => row_key).toSorted()).toEqual(['moved.md', 'theirs.md']);
    service.put('theirs.md', 'changed\n');
    service.put('moved.md', 'mine\n');
    expect(await agent.sync()).toMatchObject({ pushed: [], skipped: [], conflicts: [], removed_here: [] });
    expect(agent.text('theirs.md')).toBe('changed\n');
    expect(agent.text('moved.md')).toBe('mine\n');
  });

  it('a text that was declined stays here, is told with the reason, and waits again once it was changed', async () => {
    const declined = new Set([checksumOf(Buffer.from('mine\n'))]);
    const agent = await createReplica(service, { root: '/agent', access: 'propose', declined });
    agent.write('mine.md', 'mine\n');
    agent.write('other.md', 'other\n');
    const reason = 'is not proposed again until it changes. A reviewer says no.';
    expect(await agent.sync()).toMatchObject({
      rejected: [],
      skipped: [
        { row_key: 'mine.md', code: 'declined', reason },
        { row_key: 'other.md', code: 'proposed' },
      ],
    });
    expect(agent.text('mine.md')).toBe('mine\n');
    agent.write('mine.md', 'changed\n');
    const { skipped } = await agent.sync();
    expect(skipped.map(({ code }) => code)).toEqual(['proposed', 'proposed']);
  });
});

describe('files that change while a run works', () => {
  const changing = (times: number): Pick<FileSystem, 'read'> => {
    let left = times;
    return {
      read: async (path, maxBytes) => {
        if (path.endsWith('/a.md') && left-- > 0) throw changed(path);
        return ada.disk.read(path, maxBytes);
      },
    };
  };

  it('are read again, and left for the next run if that does not help', async () => {
    ada.write('a.md', 'a\n');
    await ada.sync();
    ada.write('a.md', 'edited\n');
    const on = (files: Partial<FileSystem>) =>
      createReplica(service, { ...ada, files: { ...ada.disk, ...files } });
    const restless = await on(changing(1_000));
    expect(await restless.sync()).toMatchObject({
      pushed: [],
      removed_there: [],
      skipped: [{ row_key: 'a.md', code: 'changing' }],
    });
    expect(await (await on(changing(2))).sync()).toMatchObject({ pushed: ['a.md'] });
  });

  it('are not overwritten: an edit right before the file is replaced stays', async () => {
    ada.write('a.md', 'one\n');
    await ada.sync();
    service.put('a.md', 'theirs\n');
    const create: FileSystem['create'] = async (path, bytes, options) => {
      await ada.disk.create(path, bytes, options);
      if (Buffer.from(bytes).toString() === 'theirs\n' && !path.includes('.tms/'))
        ada.write('a.md', 'mine\n');
    };
    const raced = await createReplica(service, { ...ada, files: { ...ada.disk, create } });
    expect(await raced.sync()).toMatchObject({
      written: [],
      skipped: [{ row_key: 'a.md', code: 'changing' }],
    });
    expect(ada.text('a.md')).toBe('mine\n');
    expect(await ada.sync()).toMatchObject({ conflicts: [{ row_key: 'a.md' }] });
    expect(ada.disk.all().filter((path) => path.endsWith('.tmp'))).toEqual([]);
  });
});

function rateLimited(retryAfterSeconds: number, quota: number): ProblemError {
  return new ProblemError({
    status: 429,
    code: 'rate_limited',
    detail: 'Too many.',
    retryAfterSeconds,
    quota,
  });
}

describe('credentials', () => {
  // In two parts, so that no credential stands in the repository.
  const secret = `DB_PASSWORD=${'q7Rt2xKp'}${'9LmW4vZs'}`;

  it('keep a file here, whose line and kind are told, until it is corrected or allowed', async () => {
    ada.write('a.md', `---\ntitle: A\n---\n\n${secret}\n`);
    ada.write('b.md', 'b\n');
    ada.write('c.md', `---\ntms: allow-secret\n---\n${secret}\n`);
    const rejected = [
      {
        row_key: 'a.md',
        code: 'contains_secret',
        detail: expect.stringMatching(/^line 5 has a secret in an assignment;/),
      },
    ];
    expect(await ada.sync()).toMatchObject({ pushed: ['b.md', 'c.md'], rejected });
    expect(await ada.sync()).toMatchObject({ pushed: [], rejected });
    ada.write('a.md', '---\ntitle: A\n---\n\nin the vault\n');
    expect(await ada.sync()).toMatchObject({ pushed: ['a.md'], rejected: [] });
  });

  it('in a file that is renamed leave the team its old name', async () => {
    await ada.sync({ allowSecrets: true });
    ada.write('a.md', `${secret}\n`);
    expect(await ada.sync({ allowSecrets: true })).toMatchObject({ pushed: ['a.md'], rejected: [] });
    ada.move('a.md', 'b.md');
    expect(await ada.sync()).toMatchObject({ renamed: [], removed_there: [] });
    expect([...service.items().keys()]).toEqual(['a.md']);
  });

  it('that the team has already hold up neither another edit nor another tier, and further ones do', async () => {
    ada.write('a.md', `${secret}\n`);
    await ada.sync({ allowSecrets: true, tier: 'external' });
    ada.write('a.md', `# Edited\n\n${secret}\n`);
    expect(await ada.sync()).toMatchObject({ pushed: ['a.md'], rejected: [] });
    expect(await ada.sync({ tier: 'team', paths: ['a.md'] })).toMatchObject({
      pushed: ['a.md'],
      rejected: [],
    });
    ada.write('a.md', `${secret}\nDB_TOKEN=${'Zx3Kq8Lw'}${'5Rt7Vn2B'}\n`);
    expect(await ada.sync()).toMatchObject({ pushed: [], rejected: [{ code: 'contains_secret' }] });
  });

  it('in the name of a file, and hidden in its front matter by escapes, keep it here', async () => {
    const name = `${secret}.md`;
    ada.write(name, 'a\n');
    ada.write('b.md', `---\n"\\x70assword": "${'q7Rt2xKp'}${'9LmW4vZs'}"\n---\nb\n`);
    expect((await ada.sync()).rejected).toMatchObject([
      { row_key: name, detail: expect.stringMatching(/^its name has a secret/) },
      { row_key: 'b.md', detail: expect.stringMatching(/^its front matter has a secret/) },
    ]);
    expect([...service.items().keys()]).toEqual([]);
  });
});
