import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { NewItem } from '@teammemory/client/item.ts';
import { type AdminClient, createAdminClient } from '@teammemory/client/rpc/admin-client.ts';
import { createTeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import { AppError, type ErrorCode } from '@teammemory/errors/app-error.ts';
import { z } from 'zod';
import type { Answer } from './ask.ts';
import { demoFile, plannedDemoFile } from './planned-demo.ts';
import type { Program } from './program.ts';

const team = 'demo';
const member = 'demo';
/** What later starts need of it. */
const storedDemo = z.object({ team: z.string(), team_key: z.string() });
/** Lifetime of the key that pushes the pages: too short for anyone to find it. */
const seedKeyLifetimeMs = 600_000;

/** The keys that the first start shows once. */
export interface Demo {
  team: string;
  teamKey: string;
  externalKey: string;
  /** Pages pushed. */
  items: number;
}

/**
 * Makes the demo team, and pushes the repository's own pages into it: through the public API and the RPCs of
 * administrators, like everyone else. Undefined where it was made or declined before, or is not wanted now: data that was
 * there before gets one only if `confirm` says so, which is asked again by a later start if it says `later`.
 *
 * The pages are pushed with a key of their own, revoked at the end, so that the
 * keys shown start with their whole limit.
 */
export async function makeDemo(
  program: Program,
  repository: string,
  confirm: () => Promise<Answer>,
): Promise<Demo | undefined> {
  const { addresses, dataDirectory, administratorToken } = program;
  if (dataDirectory.readSecret(demoFile) !== undefined) return undefined;
  // Only an administrator can make a team.
  if (administratorToken === undefined) return undefined;
  const admin = createAdminClient({ rpcUrl: addresses.rpc, token: administratorToken });
  try {
    const there = await teamsThere(admin);
    const isPlanned = dataDirectory.readSecret(plannedDemoFile) !== undefined;
    if (!isPlanned || (there.others && !there.demo)) {
      const answer = there.demo ? 'no' : await confirm();
      // A later start need not look, or ask, again.
      if (answer === 'no') dataDirectory.writeSecret(demoFile, {});
      if (there.demo) throw foreignTeam();
      if (answer !== 'yes') return undefined;
      dataDirectory.writeSecret(plannedDemoFile, {});
    }
    await admin.createTeam({ slug: team, name: 'Demo' }).catch((error) => {
      unlessThere(error);
      // A start that was cut off leaves a team without keys that anyone knows: go on with it. Another was made just now.
      if (there.demo) return;
      dataDirectory.removeSecret(plannedDemoFile);
      throw foreignTeam();
    });
    await admin.addMember({ team, handle: member, role: 'admin' }).catch(unlessThere);
    const demo = await fillDemo(program, admin, repository);
    dataDirectory.removeSecret(plannedDemoFile);
    return demo;
  } finally {
    admin.close();
  }
}

/** Whoever made it would find strange pages in it. */
function foreignTeam(): AppError {
  const key = `tms admin key create --team ${team} --member <handle> --tier team`;
  return new AppError('already_exists', `there is a team "${team}" already; \`${key}\` makes a key of it.`);
}

/** Pushes the pages into the demo team, and stores the keys of the demo. */
async function fillDemo(
  { addresses, dataDirectory }: Program,
  admin: AdminClient,
  repository: string,
): Promise<Demo> {
  const expiresAt = new Date(Date.now() + seedKeyLifetimeMs);
  const seedKey = await admin.createKey({
    team,
    member,
    tier: 'team',
    expiresAt,
    // There are more pages than other keys may write in a minute.
    itemWritesPerMinute: seedKeyWritesPerMinute,
  });
  const items = await pushPages(addresses.gateway, seedKey.key, readPages(repository));
  await admin.revokeKey(seedKey.key_id);
  const teamKey = (await admin.createKey({ team, member, tier: 'team' })).key;
  const externalKey = (await admin.createKey({ team, member, tier: 'external' })).key;
  const url = addresses.gateway;
  dataDirectory.writeSecret(demoFile, { url, team, team_key: teamKey, external_key: externalKey });
  return { team, teamKey, externalKey, items };
}

/**
 * Makes a link with which a browser signs in as the demo's member, with the team key that the first start stored.
 * Undefined where there is no demo, or its key was revoked. `publicUrl` is where browsers reach the service.
 */
export async function demoSignInLink(
  { addresses, dataDirectory }: Program,
  publicUrl: string = addresses.gateway,
): Promise<string | undefined> {
  const stored = storedDemo.safeParse(dataDirectory.readSecret(demoFile)).data;
  if (stored === undefined) return undefined;
  const client = createTeamMemoryClient({ url: addresses.gateway, team: stored.team, key: stored.team_key });
  try {
    const { sign_in_token: token } = await client.createSignInLink();
    return new URL(`/sign-in#${token}`, publicUrl).href;
  } catch (error) {
    if ((error as { code?: ErrorCode }).code === 'invalid_key') return undefined;
    throw error;
  }
}

async function teamsThere(admin: AdminClient): Promise<{ demo: boolean; others: boolean }> {
  const there = { demo: false, others: false };
  for await (const teams of admin.listTeams()) {
    for (const { slug } of teams) there[slug === team ? 'demo' : 'others'] = true;
    if (there.demo && there.others) break;
  }
  return there;
}

function unlessThere(error: { code?: ErrorCode }): void {
  if (error.code !== 'already_exists') throw error;
}

/** More than there will be pages. */
const seedKeyWritesPerMinute = 1_000;

/** README.md for everyone, docs/ for the team, so that the two keys see different things. */
function readPages(repository: string): NewItem[] {
  const docs = readdirSync(join(repository, 'docs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => relative(repository, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
  return ['README.md', ...docs].map((row_key) => {
    const content = readFileSync(join(repository, row_key), 'utf8');
    const checksum = `sha256:${createHash('sha256').update(content).digest('hex')}`;
    const tier = row_key === 'README.md' ? 'external' : 'team';
    return { row_key, content, frontmatter: {}, tier, checksum };
  });
}

/** Pushes pages one by one, as many as the write limit lets through, and returns how many those were. */
async function pushPages(url: string, key: string, pages: readonly NewItem[]): Promise<number> {
  const client = createTeamMemoryClient({ url, key, team });
  for (const [index, page] of pages.entries()) {
    try {
      await client.pushItems([page]);
    } catch (error) {
      if ((error as { code?: ErrorCode }).code === 'rate_limited') return index;
      throw error;
    }
  }
  return pages.length;
}
