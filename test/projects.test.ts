import { expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { newTeam } from './support/http/key-holder.ts';
import { problem } from './support/http/problem.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { describeEachService } from './support/service/shared-service.ts';

describeEachService('projects', (service) => {
  const create = (team: string, slug: string, name = slug) =>
    asAdministrator(service(), (admin) => admin.createProject({ team, slug, name }));

  test('are those that items name and those created, by slug, with exactly three fields', async () => {
    const { slug, team } = await newTeam(service());
    expect(await create(slug, 'web', 'Website')).toEqual({ slug: 'web', name: 'Website', brain_only: true });
    await create(slug, 'later', 'Some day');
    await team.push(
      item('projects/api/notes.md'),
      item('a.md', 'a', { frontmatter: { project: 'web' }, tier: 'external' }),
      item('b.md', 'b', { frontmatter: { project: 'Not a slug' } }),
      item('projects/readme.md'),
    );
    const { status, body } = await team.call('/projects');
    expect(status).toBe(200);
    expect(body).toEqual({
      projects: [
        { slug: 'api', name: 'api', brain_only: false },
        { slug: 'later', name: 'Some day', brain_only: true },
        { slug: 'web', name: 'Website', brain_only: false },
      ],
    });
  });

  test('are brain_only again when no item names them any more', async () => {
    const { slug, team } = await newTeam(service());
    await create(slug, 'web', 'Website');
    await team.push(item('projects/web/a.md'), item('projects/gone/a.md'));
    await team.remove('projects/web/a.md');
    await team.remove('projects/gone/a.md');
    const { body } = await team.call('/projects');
    expect(body).toEqual({ projects: [{ slug: 'web', name: 'Website', brain_only: true }] });
  });

  test('are one team’s alone', async () => {
    const [mine, other] = [await newTeam(service()), await newTeam(service())];
    await create(mine.slug, 'web');
    await mine.team.push(item('projects/api/a.md'));
    expect((await other.team.call('/projects')).body).toEqual({ projects: [] });
    await create(other.slug, 'web');
  });

  test('are refused to external keys before anything else of the request is looked at', async () => {
    const { team, external } = await newTeam(service());
    await team.push(item('projects/secret/a.md', 'a', { tier: 'external' }));
    const options = { headers: { 'content-encoding': 'gzip', 'content-length': '0' } };
    for (const answer of [
      await external.call('/projects'),
      await external.call('/projects?page_token=%00'),
      await external.call('/projects', options),
    ]) {
      expect([answer.status, answer.body]).toEqual([403, problem('forbidden_tier')]);
    }
    const { status } = await external.call('/projects', { method: 'DELETE' });
    expect(status).toBe(405);
  });

  test('that were created are removed, and those that items name stay under their slug', async () => {
    const { slug, team } = await newTeam(service());
    await create(slug, 'web', 'Website');
    await create(slug, 'later', 'Some day');
    await team.push(item('projects/web/a.md'));
    const remove = (name: string) => asAdministrator(service(), (admin) => admin.projects(slug).remove(name));
    expect(await remove('web')).toEqual({ slug: 'web', still_named: true });
    expect(await remove('later')).toEqual({ slug: 'later', still_named: false });
    const projects = [{ slug: 'web', name: 'web', brain_only: false }];
    expect((await team.call('/projects')).body).toEqual({ projects });
    for (const absent of ['web', 'later', 'x'.repeat(100)]) {
      await expect(remove(absent)).rejects.toMatchObject({ code: 'not_found' });
    }
    await create(slug, 'later', 'Again');
  });

  test('are created once, with a good slug and name', async () => {
    const { slug } = await newTeam(service());
    await create(slug, 'web');
    await expect(create(slug, 'web')).rejects.toMatchObject({ code: 'already_exists' });
    for (const bad of ['', 'Web', '-web', 'x'.repeat(65), 'a b']) {
      await expect(create(slug, bad, 'Name')).rejects.toMatchObject({ violations: [{ pointer: '/slug' }] });
    }
    for (const bad of ['', ' ', 'a\nb', 'x'.repeat(201)]) {
      await expect(create(slug, 'api', bad)).rejects.toMatchObject({ violations: [{ pointer: '/name' }] });
    }
  });
});
