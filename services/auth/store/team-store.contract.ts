import { expect, test } from 'vitest';
import type { Team, TeamStore } from '../domain/teams.ts';

/** Declares the tests that every store of teams passes; `store` returns the empty store of the running test. */
export function teamStoreContract(store: () => TeamStore): void {
  const team = (slug: string, teamId = `id-of-${slug}`): Team => ({
    teamId,
    slug,
    name: `Team “${slug}” 🦉`,
    createdAt: 1_795_219_200_123,
  });

  test('a team reads back as it was created', async () => {
    await store().create(team('acme'));
    expect(await store().findBySlug('acme')).toEqual(team('acme'));
  });

  test('nothing is found under another slug, nor under text that would be an operator elsewhere', async () => {
    await store().create(team('acme'));
    for (const slug of ['', 'acm', 'ACME', 'acme\0', '$ne', '{"$gt":""}', "' OR ''='", '%']) {
      expect(await store().findBySlug(slug), slug).toBeUndefined();
    }
  });

  test('a slug is given once, however many ask for it at the same time', async () => {
    const attempts = Array.from({ length: 16 }, (_, index) => store().create(team('acme', `id-${index}`)));
    const outcomes = await Promise.allSettled(attempts);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(15);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'already_exists' });
    const winner = outcomes.findIndex((outcome) => outcome.status === 'fulfilled');
    expect(await store().list('', 10)).toEqual([team('acme', `id-${winner}`)]);
  });

  test('teams are listed by slug, in pages that neither overlap nor leave one out', async () => {
    for (const slug of ['b', 'a-b', 'a', 'c', 'a0', '0']) await store().create(team(slug));
    const slugs = async (after: string, limit: number) =>
      (await store().list(after, limit)).map(({ slug }) => slug);
    expect(await slugs('', 10)).toEqual(['0', 'a', 'a-b', 'a0', 'b', 'c']);
    expect(await slugs('', 2)).toEqual(['0', 'a']);
    expect(await slugs('a', 2)).toEqual(['a-b', 'a0']);
    expect(await slugs('a0', 10)).toEqual(['b', 'c']);
    expect(await slugs('c', 10)).toEqual([]);
  });
}
