import { expect, test } from 'vitest';
import { fieldsOfItem } from './item-fields.ts';
import { noFields } from './passage.ts';

/** The fields of an item that was changed on 22 November 2026. */
function fields(frontmatter: unknown, rowKey = 'notes/a.md') {
  return fieldsOfItem({ rowKey, frontmatter, changedOn: '2026-11-22' });
}

test('front matter says project, owner, status, date and tags under their usual names', () => {
  const said = {
    Project: 'sso',
    owners: ['mara', 'tobi'],
    Status: 'In Review',
    date: '2026-06-10T08:00:00Z',
    tags: ['login', 'security, access'],
  };
  expect(fields(said)).toEqual({
    date: '2026-06-10',
    status: 'in review',
    isOutdated: false,
    project: 'sso',
    owner: 'mara, tobi',
    tags: ['login', 'security', 'access'],
  });
});

test.for([
  [{ created: '2025-01-01', date: '2025-02-02' }, '2025-02-02'],
  [{ date: '2025-02-02', last_updated: '2025-03-03' }, '2025-03-03'],
  [{ date: 'soon', created: '3. März 2026' }, '2026-03-03'],
  [{ date: 20260510 }, '2026-05-10'],
] as const)(
  'of several dates the one of the last change counts, and none that is no day: %j',
  ([said, day]) => {
    expect(fields(said)).toMatchObject({ date: day });
  },
);

test('the place says project and day, where front matter does not', () => {
  expect(fields({}, 'work/projects/kiosk/2026-03-04-plan.md')).toMatchObject({
    project: 'kiosk',
    date: '2026-03-04',
  });
  expect(fields({ project: 'sso', date: '2026-05-06' }, 'projects/kiosk/2026-03-04.md')).toMatchObject({
    project: 'sso',
    date: '2026-05-06',
  });
  expect(fields({}, 'status/2026-w46.md').date).toBe('2026-11-09');
  expect(fields({}, 'meetings/2026/11/03/team.md').date).toBe('2026-11-03');
});

test('an item that names no day has that of its last change, and says so', () => {
  expect(fields({})).toEqual({ ...noFields, date: '2026-11-22', isDatedByChange: true });
  expect(fields({ date: '2026-01-02' })).not.toHaveProperty('isDatedByChange');
});

test.for([
  [{ status: 'Superseded by ADR 10' }, 'superseded by adr 10'],
  [{ status: 'veraltet' }, 'veraltet'],
  [{ deprecated: true }, 'deprecated'],
  [{ superseded_by: 'adr-10.md' }, 'superseded'],
] as const)('front matter says that an item is outdated: %j', ([said, status]) => {
  expect(fields(said)).toMatchObject({ isOutdated: true, status });
});

test.for(['archive/a.md', 'docs/_Archived/a.md', 'de/archiv/2024/a.md', 'old/a.md'])(
  'what stands in a folder for what is over is outdated: %s',
  (rowKey) => {
    expect(fields({}, rowKey)).toMatchObject({ isOutdated: true, status: 'archived' });
  },
);

test.for([
  ['notes/archive.md', {}],
  ['oldenburg/a.md', {}],
  ['a.md', { status: 'active', deprecated: false, superseded_by: '' }],
  ['a.md', { status: 'old-age pensions' }],
  ['a.md', { status: 'replaces adr 7' }],
] as const)('other folders and front matter say no such thing: %j', ([rowKey, said]) => {
  expect(fields(said, rowKey).isOutdated).toBe(false);
});

test('front matter may hold anything: nothing else than short lines comes out of it', () => {
  const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`);
  const long = `a\n\u001b\u202e${'x'.repeat(100_000)}`;
  const hostile: unknown[] = [null, 'text', 7, [], deep, JSON.parse('{"__proto__":{"owner":"eve"}}')];
  for (const each of hostile) expect(fields(each)).toEqual(fields({}));
  for (const value of [deep, { a: deep }, null, true, [deep, null]])
    expect(fields({ owner: value, project: value, tags: value, date: value })).toEqual(fields({}));
  const { owner, status, project, tags } = fields({
    owner: long,
    status: long,
    project: long,
    tags: Array(50).fill(long),
  });
  expect([owner.length, status.length, project.length, tags.length, tags[0]?.length]).toEqual([
    80, 40, 64, 10, 40,
  ]);
  expect(`${owner}${status}${project}${tags.join('')}`).not.toMatch(/\p{Cc}|\u202e/u);
});
