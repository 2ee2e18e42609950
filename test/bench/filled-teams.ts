import { createTeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { asAdministrator } from '../support/service/as-administrator.ts';
import { readMetric } from '../support/service/read-metric.ts';
import type { RunningService } from '../support/service/running-service.ts';
import { pushMadeUpNotes } from './made-up-notes.ts';

/** Teams that are made at once, so that their rows share commits; with many more, calls time out on a busy machine. */
const together = 8;
const membersEach = 2;
/** Notes of a team, of one passage each. */
const notesEach = 10;
/** For a look at thousands of teams on a busy machine. */
const followTimeoutMs = 1_800_000;

/** A team with notes, a search index, and keys of two members. */
export interface FilledTeam {
  slug: string;
  keys: string[];
}

/** Makes teams with so many keys each. */
export async function fillTeams(
  service: RunningService,
  teams: number,
  keysEach: number,
): Promise<FilledTeam[]> {
  const filled = Array.from(
    { length: teams },
    (_, number): FilledTeam => ({
      slug: `team-${number}`,
      keys: [],
    }),
  );
  const left = filled.values();
  const members = Array.from({ length: membersEach }, (_, number) => `member-${number}`);
  await asAdministrator(service, async (admin) => {
    const makeTeams = async () => {
      for (const { slug: team, keys } of left) {
        await admin.createTeam({ slug: team, name: team });
        for (const member of members) {
          await admin.addMember({ team, handle: member, role: 'member' });
          for (let made = 0; made < keysEach / membersEach; made += 1)
            keys.push((await admin.createKey({ team, member, tier: 'team' })).key);
        }
        const client = createTeamMemoryClient({ url: service.url, key: keys[0] ?? '', team });
        await pushMadeUpNotes(client, notesEach);
        // This makes it.
        await admin.getIndex({ team });
      }
    };
    await Promise.all(Array.from({ length: together }, makeTeams));
  });
  return filled;
}

/** Waits until the background check of all teams, which begins with the process, has come to its end once. */
export async function untilFollowed({ metricsUrl }: Pick<RunningService, 'metricsUrl'>): Promise<void> {
  let oldest = 0;
  const ended = async () => {
    const age = await readMetric(metricsUrl, 'teammemory_search_index_refresh_age_seconds');
    oldest = Math.max(oldest, age);
    return age < oldest;
  };
  await eventually('all teams were looked at', ended, { withinMs: followTimeoutMs, everyMs: 100 });
}
