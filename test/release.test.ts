import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

const repository = fileURLToPath(new URL('..', import.meta.url));
const script = join(repository, 'scripts', 'release.ts');
let checkout: TemporaryDirectory;

function run(command: string, ...parameters: string[]) {
  const names = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.org' };
  const committer = { GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.org' };
  const env = { ...process.env, ...names, ...committer, GIT_CONFIG_GLOBAL: '/dev/null' };
  const { status, stdout, stderr } = spawnSync(command, parameters, {
    cwd: checkout.path,
    encoding: 'utf8',
    env,
  });
  return { status, stdout, stderr };
}
const release = (...parameters: string[]) => run(process.execPath, script, ...parameters);
const read = (path: string) => readFileSync(join(checkout.path, path), 'utf8');
const version = () => JSON.parse(read('package.json')).version as string;

beforeAll(async () => {
  checkout = await temporaryDirectory();
  const names = [
    '*package.json',
    'package-lock.json',
    '*CHANGELOG.md',
    'deploy/helm/*',
    'deploy/make-sbom.ts',
    'deploy/actions/*',
    'docs/openapi.json',
    'docs/deploying.md',
  ];
  const tracked = spawnSync('git', ['ls-files', ...names], { cwd: repository, encoding: 'utf8' });
  for (const path of tracked.stdout.split('\n').filter(Boolean)) {
    mkdirSync(join(checkout.path, dirname(path)), { recursive: true });
    cpSync(join(repository, path), join(checkout.path, path));
  }
  writeFileSync(
    join(checkout.path, 'CHANGELOG.md'),
    '# Changelog\n\n## Unreleased\n\n- Something is new.\n\n## 0.1.0\n\n- All.\n',
  );
  // As it is after a release, also where the present version is prepared and not released.
  const manifest = JSON.parse(read('package.json'));
  manifest.lastRelease.version = manifest.version;
  writeFileSync(join(checkout.path, 'package.json'), JSON.stringify(manifest));
  run('git', 'init', '--quiet', '--initial-branch', 'main');
  run('git', 'add', '.');
  expect(run('git', 'commit', '--quiet', '--message', 'All').status).toBe(0);
});
afterAll(() => checkout.remove());

/** The next minor version. */
function nextMinor(): string {
  const [major, minor] = version().split('.').map(Number);
  return `${major}.${Number(minor) + 1}.0`;
}

test('a version that does not follow the present one, or a checkout with changes, is refused in one sentence', () => {
  for (const wrong of ['9.9.9', version(), 'next']) {
    expect(release(wrong, '--checked')).toMatchObject({ status: 1, stderr: expect.stringMatching(/follow/) });
  }
  writeFileSync(join(checkout.path, 'new.txt'), 'not committed');
  expect(release(nextMinor(), '--checked')).toMatchObject({
    status: 1,
    stderr: 'There are changes that are not committed.\n',
  });
  run('rm', 'new.txt');
});

test('a release gives packages, lock file, chart and changelog its version, tags it, and is what upgrades are tested from', () => {
  const next = nextMinor();
  const last = version();
  const mentions = (path: string) => read(path).split(`"${last}"`).length - 1;
  const others = mentions('package-lock.json');
  expect(release(next, '--checked')).toMatchObject({ status: 0, stderr: '' });
  expect(run('git', 'status', '--porcelain').stdout).toBe('');
  expect(version()).toBe(next);
  expect(read('libs/rpc/package.json')).toContain(`"@teammemory/errors": "${next}"`);
  expect(read('deploy/helm/Chart.yaml')).toContain(`appVersion: ${next}`);
  expect(read('deploy/actions/scan/action.yml')).toContain(`@teammemory/cli@${next}"`);
  expect(read('docs/deploying.md')).toContain(`team-memory-service-${next}.tgz`);
  expect(read('docs/openapi.json')).toMatch(new RegExp(`"version": "${next}\\+[0-9a-f]{12}"`));
  expect(read('CHANGELOG.md')).toMatch(new RegExp(`^## ${next} \\(\\d{4}-\\d\\d-\\d\\d\\)$`, 'm'));
  const { packages } = JSON.parse(read('package-lock.json'));
  expect([packages[''].version, packages['libs/rpc'].dependencies['@teammemory/errors']]).toEqual([
    next,
    next,
  ]);
  expect(others).toBeGreaterThan(20);
  const tagged = run('git', 'rev-parse', `v${next}^{commit}`).stdout.trim();
  expect(JSON.parse(read('package.json')).lastRelease).toEqual({ version: next, commit: tagged });
  expect(run('git', 'tag', '--list', '--format=%(contents)', `v${next}`).stdout).toContain(
    'Something is new.',
  );
});

test('a version that is prepared has its changes, and the next run tags it and nothing else', () => {
  const last = version();
  const next = nextMinor();
  const changelog = join(checkout.path, 'CHANGELOG.md');
  writeFileSync(
    changelog,
    read('CHANGELOG.md').replace(`## ${last}`, `## Unreleased\n\n- More.\n\n## ${last}`),
  );
  run('git', 'commit', '--all', '--quiet', '--message', 'More');
  expect(release(next, '--prepare')).toMatchObject({ status: 0, stderr: '' });
  expect([version(), run('git', 'tag', '--list', `v${next}`).stdout]).toEqual([next, '']);
  const [lastMajor] = last.split('.').map(Number);
  for (const wrong of [[next, '--prepare'], [`${Number(lastMajor) + 1}.0.0`]])
    expect(release(...wrong, '--checked').status, wrong.join()).toBe(1);
  const prepared = run('git', 'rev-parse', 'HEAD').stdout;
  expect(release(next, '--checked')).toMatchObject({ status: 0, stderr: '' });
  expect(run('git', 'rev-parse', `v${next}^{commit}`).stdout).toBe(prepared);
  expect(run('git', 'tag', '--list', '--format=%(contents)', `v${next}`).stdout).toContain('- More.');
});

describe('the files of a release', () => {
  const repositoryFlags = ['--repository', 'https://code.example.org/memory.git'];
  const lock = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'));
  const zod = `zod ${lock.packages['node_modules/zod'].version}`;

  /** Makes them from small stand-ins for the packages. Returns their folder. */
  async function releaseFiles(licences = `${zod} (MIT)\n\nAs it is.\n`): Promise<string> {
    const { path, remove } = await temporaryDirectory();
    onTestFinished(remove);
    const [packages, target] = [join(path, 'packages'), join(path, 'release')];
    mkdirSync(join(packages, 'service'), { recursive: true });
    writeFileSync(join(packages, 'service', 'THIRD-PARTY-LICENSES.txt'), licences);
    writeFileSync(join(packages, 'service', 'LICENSE'), 'As it is.');
    writeFileSync(join(packages, `team-memory-service-${version()}.tgz`), 'a package');
    const executables = join(path, 'executables');
    mkdirSync(executables);
    for (const platform of ['linux-x64', 'win32-x64.exe'])
      writeFileSync(join(executables, `team-memory-service-${version()}-${platform}`), platform);
    // Relative, as it is by default.
    const targetFlags = ['--target', relative(checkout.path, target)];
    const folders = ['--packages', packages, '--executables', executables, ...targetFlags];
    const { status, stderr } = release(...folders, ...repositoryFlags);
    if (status !== 0) throw new Error(stderr);
    return target;
  }

  test('are the same for the same source, with checksums that are right', async () => {
    const [first, second] = [await releaseFiles(), await releaseFiles()];
    const sums = (folder: string) => readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
    expect(sums(second)).toBe(sums(first));
    const check = spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], {
      cwd: first,
      encoding: 'utf8',
    });
    expect(check).toMatchObject({ status: 0, stderr: '' });
    expect(check.stdout.trim().split('\n').length).toBe(readdirSync(first).length - 1);
  });

  test('have a statement that names every one that is installed, the source and who built', async () => {
    const folder = await releaseFiles();
    const statement = readdirSync(folder).find((name) => name.endsWith('.intoto.jsonl')) ?? '';
    const { _type, predicateType, predicate, subject } = JSON.parse(
      readFileSync(join(folder, statement), 'utf8'),
    );
    expect([_type, predicateType]).toEqual([
      'https://in-toto.io/Statement/v1',
      'https://slsa.dev/provenance/v1',
    ]);
    const gitCommit = run('git', 'rev-parse', 'HEAD').stdout.trim();
    expect(predicate).toMatchObject({
      buildDefinition: { externalParameters: { source: { digest: { gitCommit } } } },
      runDetails: { builder: { id: 'urn:team-memory-service:by-hand' } },
    });
    const others = [statement, 'RELEASE_NOTES.md', 'SHA256SUMS'];
    const files = readdirSync(folder).filter((name) => !others.includes(name));
    const sha256 = (name: string) =>
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex');
    expect(files.length).toBeGreaterThan(2);
    expect(subject).toEqual(files.toSorted().map((name) => ({ name, digest: { sha256: sha256(name) } })));
  });

  test('have a bill of materials with what the bundle contains, which misses none of it', async () => {
    const file = join(await releaseFiles(), `team-memory-service-${version()}.cdx.json`);
    const { components, dependencies } = JSON.parse(readFileSync(file, 'utf8'));
    const names = components.map(({ name, version }: Record<string, string>) => `${name} ${version}`);
    expect(names).toEqual([expect.stringMatching(/^node \d+\./), zod]);
    expect(dependencies.length).toBe(2);
    await expect(releaseFiles('unheard-of 1.0.0 (MIT)\n')).rejects.toThrow('lacks unheard-of 1.0.0');
  });

  test('have a chart in a folder with its name, and notes whose links lead to the repository', async () => {
    const changed = '# Changelog\n\n## VERSION (2026-01-02)\n\n- [More](docs/more.md).\n';
    writeFileSync(join(checkout.path, 'CHANGELOG.md'), changed.replace('VERSION', version()));
    run('git', 'commit', '--all', '--quiet', '--message', 'Changed');
    const folder = await releaseFiles();
    const chart = join(folder, `team-memory-service-chart-${version()}.tgz`);
    const { stdout } = spawnSync('tar', ['--list', '--file', chart], { encoding: 'utf8' });
    expect(stdout.split('\n')).toContain('team-memory-service/Chart.yaml');
    expect(readFileSync(join(folder, 'RELEASE_NOTES.md'), 'utf8')).toBe(
      `# Team Memory Service ${version()}\n\n- [More](https://code.example.org/memory/blob/v${version()}/docs/more.md).\n`,
    );
  });

  test('have recipes with the address and the checksum of what they install', async () => {
    const folder = await releaseFiles();
    const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
    const stem = `team-memory-service-${version()}`;
    for (const [recipe, file] of [
      ['team-memory-service.rb', `${stem}.tgz`],
      ['TeamMemory.TeamMemoryService.installer.yaml', `${stem}-win32-x64.exe`],
    ] as const) {
      const text = readFileSync(join(folder, recipe), 'utf8');
      expect(text).toContain(`https://code.example.org/memory/releases/download/v${version()}/${file}`);
      expect(sums).toContain(`${/[0-9a-f]{64}/i.exec(text)?.[0]?.toLowerCase()}  ${file}\n`);
    }
  });

  test.skipIf(spawnSync('dpkg-deb', ['--version']).status !== 0)(
    'have a Debian package with the program, tms and a unit, all owned by root, that restarts and ends the service',
    async () => {
      const file = join(await releaseFiles(), `team-memory-service_${version()}_amd64.deb`);
      const field = spawnSync('dpkg-deb', ['--field', file, 'Version'], { encoding: 'utf8' });
      expect(field.stdout).toBe(`${version()}\n`);
      const { stdout } = spawnSync('dpkg-deb', ['--contents', file], { encoding: 'utf8' });
      expect(stdout).toMatch(/^-rwxr-xr-x root\/root .* \.\/usr\/bin\/team-memory-service$/m);
      expect(stdout).toMatch(/\.\/usr\/bin\/tms -> team-memory-service$/m);
      expect(stdout).toMatch(/\.\/usr\/lib\/systemd\/system\/team-memory-service\.service$/m);
      expect(stdout).not.toMatch(/^\S+ (?!root\/root)/m);

      // Its scripts, where systemd seems to run.
      const { path: control, remove } = await temporaryDirectory();
      onTestFinished(remove);
      spawnSync('dpkg-deb', ['--control', file, control]);
      writeFileSync(join(control, 'systemctl'), '#!/bin/sh\necho "$@"\nexit 1\n', { mode: 0o755 });
      const told = (name: string, ...parameters: string[]) => {
        const script = readFileSync(join(control, name), 'utf8').replace('/run/systemd/system', control);
        const env = { PATH: `${control}:/usr/bin:/bin` };
        const { status, stdout } = spawnSync('sh', ['-c', script, name, ...parameters], {
          encoding: 'utf8',
          env,
        });
        expect(status).toBe(0);
        return stdout;
      };
      expect(told('postinst', 'configure', version())).toMatch(/^daemon-reload\ntry-restart \S+\n$/);
      expect(told('prerm', 'upgrade', '9.0.0')).toBe('');
      expect(told('prerm', 'remove')).toMatch(/disable --now team-memory-service\.service\n$/);
    },
  );
});
