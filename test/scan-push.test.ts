import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newTeam, type TeamClients } from './support/http/key-holder.ts';
import { exchange } from './support/rpc/caller-tokens.ts';
import { rpcCall } from './support/rpc/rpc-call.ts';
import { sharedService } from './support/service/shared-service.ts';
import { type TmsFolder, tmsFolder } from './support/sync/tms-folder.ts';

const service = sharedService();
let directory: TemporaryDirectory;
let clients: TeamClients;

beforeEach(async () => {
  directory = await temporaryDirectory();
  clients = await newTeam(service());
});

afterEach(() => directory.remove());

async function repositoryFor(key: string): Promise<TmsFolder> {
  const path = join(directory.path, 'api');
  const folder = await tmsFolder(path, { TMS_URL: service().url, TMS_TEAM: clients.slug, TMS_KEY: key });
  await folder.write('AGENTS.md', 'Run `npm test`.\n');
  await folder.write('package.json', '{"scripts":{"test":"node --test"}}');
  await folder.write('README.md', 'words '.repeat(50));
  await folder.write('index.js', 'x');
  await folder.write('.tms-scan.yml', 'members:\n  ada@example.org: ada\n');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], { cwd: path });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'One\n\nCo-Authored-By: Claude <noreply@anthropic.com>');
  return folder;
}

test('tms scan --push fills what the page Readiness shows, and again replaces it', async () => {
  const folder = await repositoryFor(clients.teamKey);
  const scanned = await folder.run('scan', '--push', '--json');
  expect(scanned).toMatchObject({ code: 0, stderr: '' });
  const { body, pushed, level } = JSON.parse(scanned.stdout);
  expect(body.contributions).toEqual([{ member: 'ada', commits: 1, agent_commits: 1 }]);
  const { message: listed } = await rpcCall({
    rpcUrl: service().rpcUrl,
    protocol: 'connect',
    method: 'teammemory.analytics.v1.AnalyticsService/ListCodebases',
    authorization: await exchange(service(), clients.teamKey, 'analytics'),
  });
  expect(listed.codebases).toMatchObject([
    {
      codebase: { slug: 'api', fullName: 'api', provider: 'git' },
      newestScan: {
        headSha: body.metrics.head_sha,
        readinessLevel: level,
        readinessPillars: { instructions: { passed: 3, total: 3 } },
      },
    },
  ]);
  const again = await folder.run('scan', '--push', '--json');
  expect(JSON.parse(again.stdout).pushed).toEqual(pushed);
});

test('a key of a guest scans and pushes nothing', async () => {
  const folder = await repositoryFor(clients.externalKey);
  expect((await folder.run('scan')).code).toBe(0);
  const refused = await folder.run('scan', '--push', '--json');
  expect(refused.code).toBe(1);
  expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: 'forbidden_tier' } });
});
