import { join } from 'node:path';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { expect, onTestFinished, test } from 'vitest';
import { snapshot } from './support/analytics/valid-bodies.ts';
import { installLastRelease, lastVersion, noLastRelease } from './support/deployment/last-release.ts';
import { api, item } from './support/http/api.ts';
import { keyHolder, newTeam } from './support/http/key-holder.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { startService } from './support/service/running-service.ts';

/** Six starts of a program, and packages that may have to be installed. */
const timeoutMs = 300_000;

if (noLastRelease === undefined) {
  test(`data of ${lastVersion} is served after an upgrade, after the way back, and after another upgrade`, {
    timeout: timeoutMs,
  }, async () => {
    const installation = installLastRelease();
    onTestFinished(installation.remove);
    const directory = await temporaryDirectory();
    onTestFinished(directory.remove);
    const program = join(installation.path, 'services/all/main.ts');
    const run = () =>
      startService({
        deployment: { program, environment: {}, remove: async () => undefined },
        dataDirectory: directory.path,
      });

    const first = await run();
    const created = await newTeam(first);
    const written: string[] = [];

    /** Writes rows of every kind, and expects all that were ever written. */
    async function use(service: Awaited<ReturnType<typeof run>>, step: string): Promise<void> {
      const team = keyHolder(service, created, created.teamKey);
      const word = `word${step}`;
      await team.push(item(`notes/${step}.md`, `The ${word} is kept.\n\n- [ ] look after it`));
      await asAdministrator(service, async (admin) => {
        await admin.createProject({ team: created.slug, slug: step, name: step });
        await admin.decisions(created.slug).create({ title: word, body: word, audience: 'team' });
      });
      const report = { ...snapshot(), member: 'ada' };
      const answer = await api(service, created, created.teamKey, '/api/v1/metrics', { body: report });
      expect([step, answer.status]).toEqual([step, 200]);
      written.push(step);
      const rows = await Promise.all(
        ['items', 'decisions', 'projects'].map((list) =>
          api(service, created, created.teamKey, `/api/v1/${list}?limit=200`),
        ),
      );
      for (const one of written) {
        for (const { body } of rows) expect(JSON.stringify(body)).toContain(one);
        expect([step, one, (await team.ask(`word${one}`)).sources.length > 0]).toEqual([step, one, true]);
      }
    }

    await use(first, 'first');
    await first.end();
    for (const step of ['upgrade', 'downgrade', 'again'] as const) {
      installation[step === 'again' ? 'upgrade' : step]();
      const service = await run();
      await use(service, step);
      expect(await service.end()).toBe(0);
    }
  });
} else {
  test(`an upgrade is not tested: ${noLastRelease}`, () => undefined);
}
