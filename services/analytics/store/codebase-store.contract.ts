import { expect, test } from 'vitest';
import type { CodebaseStore } from '../domain/codebases.ts';

/** Declares the tests that every store of codebases passes; `store` returns the empty store of the running test. */
export function codebaseStoreContract(store: () => CodebaseStore): void {
  const at = 1_795_219_200_123;
  const maxOfTeam = 20;
  const codebase = (slug: string, codebaseId = `id-of-${slug}`, fullName = 'acme/“api” 🦉') => {
    return { codebaseId, slug, fullName, provider: 'github' };
  };

  test('a codebase reads back as it was kept', async () => {
    expect(await store().put('team-1', codebase('api'), { at, maxOfTeam })).toBe('id-of-api');
    expect(await store().find('team-1', 'api')).toEqual(codebase('api'));
  });

  test('nothing is found under another slug or in another team', async () => {
    await store().put('team-1', codebase('api'), { at, maxOfTeam });
    for (const slug of ['', 'ap', 'API', 'api\0', '$ne', '{"$gt":""}', "' OR ''='", '%']) {
      expect(await store().find('team-1', slug), slug).toBeUndefined();
    }
    expect(await store().find('team-2', 'api')).toBeUndefined();
  });

  test('a known slug keeps its id and takes the other fields; each team has its own', async () => {
    await store().put('team-1', codebase('api', 'first'), { at, maxOfTeam });
    expect(
      await store().put('team-1', codebase('api', 'second', 'acme/new'), { at: at + 1, maxOfTeam }),
    ).toBe('first');
    expect(await store().find('team-1', 'api')).toEqual(codebase('api', 'first', 'acme/new'));
    expect(await store().put('team-2', codebase('api', 'third'), { at, maxOfTeam })).toBe('third');
  });

  test('a slug that is new is refused where the team has too many, and known ones are not', async () => {
    const put = (slug: string, teamId = 'team-1') =>
      store().put(teamId, codebase(slug), { at, maxOfTeam: 2 });
    expect([await put('a'), await put('b'), await put('c')]).toEqual(['id-of-a', 'id-of-b', undefined]);
    expect([await put('a'), await put('c', 'team-2')]).toEqual(['id-of-a', 'id-of-c']);
    expect(await store().find('team-1', 'c')).toBeUndefined();
  });

  test('codebases of one team are listed by slug, in pages', async () => {
    for (const slug of ['web', 'api', 'docs']) await store().put('team-1', codebase(slug), { at, maxOfTeam });
    await store().put('team-2', codebase('other'), { at, maxOfTeam });
    expect(await store().list('team-1', '', 2)).toEqual([codebase('api'), codebase('docs')]);
    expect(await store().list('team-1', 'docs', 2)).toEqual([codebase('web')]);
    expect(await store().list('team-1', 'web', 2)).toEqual([]);
  });

  test('however many keep the same slug at once, all get one id', async () => {
    const puts = Array.from({ length: 16 }, (_, index) => {
      return store().put('team-1', codebase('api', `id-${index}`), { at, maxOfTeam });
    });
    const ids = new Set(await Promise.all(puts));
    expect(ids.size).toBe(1);
    expect(await store().find('team-1', 'api')).toEqual(codebase('api', [...ids][0]));
  });
}
