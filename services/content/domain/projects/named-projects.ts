import type { Tier } from '@teammemory/vocabulary/tier.ts';
import type { NamedProjects, ProjectStore } from './projects.ts';

/** Projects that a team may create, unless a setting says otherwise. */
const defaultMaxProjects = 1_000;
/** Projects that items may name, for each project that may be created. */
const namedPerCreated = 10;
/** Beyond this part of them external items name no new project, so that guests leave room for the team. */
const externalShare = 0.5;
/** Beyond this part of them names are counted again for each page with new ones, because other processes add some too. */
const closeShare = 0.25;
/** Names of one read. */
const namesPerRead = 1_000;
/** How long what is known of a team is used. Afterwards names that are gone make room. */
const knownForMs = 60_000;
/** Teams, and names of each, that are remembered: some megabytes. */
const maxTeams = 500;
const maxKnownNames = 500;

/** What an item names, and who may see the item. */
export interface NamingItem extends NamedProjects {
  tier: Tier;
}

interface NamedProjectsDependencies {
  projects: Pick<ProjectStore, 'named' | 'isNamed'>;
  /** Projects that may be created. */
  maxProjects?: number;
  /** Milliseconds since the epoch. */
  clock: () => number;
}

/**
 * Bounds the projects that items name. Beyond the bound, a name that no item had before is left out; the rest of its
 * item is unaffected. Without the bound one key could make a list of projects that nobody can read, at two names an
 * item. Several processes that count at once may pass the bound by a page each.
 */
export function createNamedProjects({
  projects,
  maxProjects = defaultMaxProjects,
  clock,
}: NamedProjectsDependencies): {
  admitted(teamId: string, items: readonly NamingItem[]): Promise<NamedProjects[]>;
} {
  const maxNamed = maxProjects * namedPerCreated;
  const teams = new Map<string, TeamNames>();

  function namesOf(teamId: string): TeamNames {
    const known = teams.get(teamId);
    if (known !== undefined && clock() - known.atMs < knownForMs) return known;
    const fresh = { atMs: clock(), known: new Set<string>(), count: undefined };
    if (teams.size >= maxTeams) teams.clear();
    teams.set(teamId, fresh);
    return fresh;
  }

  async function countNames(teamId: string): Promise<number> {
    let count = 0;
    for (let after = ''; count < maxNamed; ) {
      const page = await projects.named(teamId, after, namesPerRead);
      count += page.length;
      if (page.length < namesPerRead) break;
      after = page.at(-1) ?? '';
    }
    return count;
  }

  async function isAdmitted(teamId: string, slug: string, tier: Tier): Promise<boolean> {
    const names = namesOf(teamId);
    if (names.known.has(slug)) return true;
    if (!(await projects.isNamed(teamId, slug))) {
      names.count ??= await countNames(teamId);
      if (names.count >= (tier === 'external' ? maxNamed * externalShare : maxNamed)) return false;
      names.count += 1;
    }
    if (names.known.size < maxKnownNames) names.known.add(slug);
    return true;
  }

  return {
    async admitted(teamId, items) {
      const names = namesOf(teamId);
      if ((names.count ?? 0) > maxNamed * closeShare) names.count = undefined;
      const admitted: NamedProjects[] = [];
      for (const { tier, slugs, ...item } of items) {
        const kept: string[] = [];
        for (const slug of slugs) if (await isAdmitted(teamId, slug, tier)) kept.push(slug);
        admitted.push({ ...item, slugs: kept });
      }
      return admitted;
    },
  };
}

/** What is remembered of a team's names. */
interface TeamNames {
  atMs: number;
  /** Some of the names that items use. */
  known: Set<string>;
  /** How many there are; undefined until a new one comes. */
  count: number | undefined;
}
