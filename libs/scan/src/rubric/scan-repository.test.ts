import { describe, expect, test } from 'vitest';
import { brokenRepositories, ci, many, noScripts } from './broken-repositories.fixture.ts';
import { pillars } from './check.ts';
import {
  checksWith,
  type Files,
  factsOf,
  ready,
  scanOf,
  today,
  withFiles,
  withManifest,
} from './facts.fixture.ts';
import { rubric, scanRepository } from './scan-repository.ts';

describe('the rubric', () => {
  test('gives each pillar the weight of its checks', () => {
    for (const [pillar, weight] of Object.entries(pillars)) {
      const own = rubric.filter((check) => check.pillar === pillar);
      expect(own.reduce((sum, check) => sum + check.weight, 0)).toBe(weight);
    }
    expect(new Set(rubric.map(({ id }) => id)).size).toBe(rubric.length);
  });

  test('is passed whole by a repository that has everything', () => {
    const scan = scanOf({ ...ready, ...many });
    expect(checksWith(scan, 'pass')).toEqual(rubric.map(({ id }) => id));
    expect(scan).toMatchObject({ kind: 'application', level: 'L5', percentage: 100 });
  });

  test('has a repository that fails each check', () => {
    expect(Object.keys(brokenRepositories)).toEqual(rubric.map(({ id }) => id));
  });

  test.each(Object.entries(brokenRepositories))(
    'lets a repository fail %s alone, and says what to do',
    (id, files) => {
      const scan = scanOf(files);
      expect(checksWith(scan, 'fail')).toEqual([id]);
      expect(checksWith(scan, 'unknown')).toEqual([]);
      expect(scan.percentage).toBeLessThan(100);
      expect(rubric.find((check) => check.id === id)?.fix).toMatch(/\w/);
    },
  );
});

describe('what is disputed elsewhere', () => {
  test('a command of GNUmakefile counts', () => {
    const scan = scanOf(
      withFiles(withManifest(noScripts), {
        GNUmakefile: 'lint test: build\n\tnode --test\n',
        'AGENTS.md': 'Run `make test`.\n',
        ...ci('make -j4 test'),
      }),
    );
    expect(checksWith(scan, 'fail')).toEqual([]);
  });

  test('a script that npm init wrote runs no tests', () => {
    const scan = scanOf(withManifest({ scripts: { test: 'echo "Error: no test specified" && exit 1' } }));
    expect(checksWith(scan, 'fail')).toContain('test-command');
    expect(scan.level).toBe('L2');
  });

  test('CI that starts a script which runs tests runs tests, and one that runs what is gone does not', () => {
    const script = { 'scripts/all.sh': 'npm test\n', ...ci('./scripts/all.sh') };
    expect(checksWith(scanOf(withFiles(ready, script)), 'fail')).toEqual([]);
    const scan = scanOf(withFiles(ready, ci('npm run test:gone')));
    expect(scan.findings.find(({ check }) => check === 'tests-in-ci')).toMatchObject({
      status: 'fail',
      path: '.github/workflows/ci.yml',
      line: 2,
    });
  });

  test('CI in a comment counts for nothing, and CI in another repository is unknown', () => {
    const commented = scanOf(withFiles(ready, { '.gitlab-ci.yml': '# npm test\n', ...ci('make') }));
    expect(checksWith(commented, 'fail')).toEqual(['tests-in-ci']);
    const uses = 'jobs:\n  all:\n    uses: acme/ci/.github/workflows/all.yml@v1\n';
    const elsewhere = scanOf(withFiles(ready, { '.github/workflows/ci.yml': uses }));
    expect(checksWith(elsewhere, 'unknown')).toEqual(['tests-in-ci']);
    expect(elsewhere.percentage).toBe(100);
  });

  test('what was cut off is unknown and leaves the percentage', () => {
    const facts = factsOf(withFiles(ready, { 'AGENTS.md': '# Ferry\n' }), ['AGENTS.md']);
    const scan = scanRepository(facts, today);
    expect(checksWith(scan, 'unknown')).toEqual(['instructions-test-command']);
    expect(scan.percentage).toBe(100);
  });

  test('paths that git ignores, and words with a stroke, are no missing paths', () => {
    const text = 'Run `npm test`. It writes `dist/main.js`; use `and/or`, `text/html` and `feature/name`.\n';
    const files = { 'AGENTS.md': text, '.gitignore': 'dist/\n.env\n' };
    expect(checksWith(scanOf(withFiles(ready, files)), 'fail')).toEqual([]);
  });
});

describe('what public repositories showed', () => {
  const statusOf = (id: string, files: Files) =>
    scanOf(files).findings.find(({ check }) => check === id)?.status;

  test('a container that listens is a service, and one that builds is none', () => {
    const program = { 'go.mod': 'module a\n', 'main.go': 'x' };
    expect(scanOf({ ...program, Dockerfile: 'FROM a\nEXPOSE 80\n' }).kind).toBe('service');
    expect(scanOf({ ...program, Dockerfile: 'FROM a\nRUN go build\n' }).kind).toBe('application');
  });

  test.each([
    [{ 'composer.json': '{"bin":["bin/a"]}', 'src/A.php': 'x' }, 'application'],
    [{ 'setup.py': 'entry_points={"console_scripts": ["a"]}', 'a/b.py': 'x' }, 'application'],
    [{ 'a.wsgi': 'x', 'a/b.py': 'x' }, 'service'],
  ])('what installs a command or is served is no library: %#', (files, kind) => {
    expect(scanOf(files).kind).toBe(kind);
  });

  test('a script for tests is a test command, and CI that starts it runs tests', () => {
    const files = { 'a.c': 'x', runtest: 'x', ...ci('./runtest --verbose') };
    expect(statusOf('test-command', files)).toBe('pass');
    expect(statusOf('tests-in-ci', files)).toBe('pass');
    expect(statusOf('tests-in-ci', { ...files, ...ci('./test') })).toBe('fail');
  });

  test('Travis CI runs the tests of a language without being told, and none with a script of its own', () => {
    const files = { 'pom.xml': '', 'src/test/java/ATest.java': '' };
    const travis = (text: string) => statusOf('tests-in-ci', { ...files, '.travis.yml': text });
    expect(travis('language: java\n')).toBe('pass');
    expect(travis('language: java\nscript: ls\n')).toBe('fail');
    expect(travis('language: generic\n')).toBe('fail');
  });

  test('Gradle projects may be in subprojects, in files that have their names', () => {
    const { workspaces, findings } = scanOf({
      'settings.gradle': "include 'core'\n",
      'build.gradle': '',
      'config/checkstyle/checkstyle.xml': '',
      'subprojects/core/core.gradle': '',
      'subprojects/core/src/main/java/A.java': '',
    });
    expect(workspaces).toMatchObject([{ folder: 'subprojects/core' }]);
    expect(findings.find(({ check }) => check === 'linter')).toMatchObject({ status: 'pass' });
  });
});

describe('commands as people write them', () => {
  const statusOf = (id: string, files: Files) =>
    scanOf(files).findings.find(({ check }) => check === id)?.status;

  test.each([
    'pnpm --filter @acme/web test',
    'npm test --workspace=web',
    'npm --prefix web run test',
    'yarn workspace web test',
    'npx vitest run',
    'bun test',
  ])('CI that runs "%s" runs tests', (command) => {
    expect(statusOf('tests-in-ci', withFiles(ready, ci(command)))).toBe('pass');
  });

  test.each(['pip install pytest', 'npm install --save-dev vitest', 'npm ci', 'cargo install nextest'])(
    'CI that runs "%s" runs no tests',
    (command) => {
      const files = { 'tests/test_a.py': 'x', 'pyproject.toml': '' };
      expect(statusOf('tests-in-ci', withFiles(ready, { ...files, ...ci(command) }))).toBe('fail');
    },
  );

  test.each([
    ['Always make tests pass. Run `npm test`.', 'pass'],
    ['Run npm test before you commit.', 'pass'],
    ['```sh\nnpm test\nmake check\n```', 'fail'],
    ['Make tests pass.', 'fail'],
  ])('of the instructions %j the check of the test command says %s', (text, status) => {
    expect(statusOf('instructions-test-command', withFiles(ready, { 'AGENTS.md': text }))).toBe(status);
  });
});

describe('waivers', () => {
  const waived = (until: string) =>
    withFiles(brokenRepositories.hooks ?? {}, {
      '.tms-scan.yml': `waivers:\n  - check: hooks\n    reason: CI is fast.\n    until: ${until}\n`,
    });

  test('take a check out of the percentage until their last day, and are shown', () => {
    const scan = scanOf(waived(today));
    expect(scan.findings.find(({ check }) => check === 'hooks')).toMatchObject({
      status: 'waived',
      waiver: { reason: 'CI is fast.', until: today },
    });
    expect(scan.percentage).toBe(100);
  });

  test('that have ended do not count, and are told', () => {
    const scan = scanOf(waived('2026-11-25'));
    expect(checksWith(scan, 'fail')).toEqual(['hooks']);
    expect(scan.unused_waivers).toMatchObject([{ check: 'hooks' }]);
  });

  test.each([
    ['waivers:\n  - check: none\n    reason: a\n    until: 2027-01-01\n', 'id of a check'],
    ['waivers:\n  - check: hooks\n    until: 2027-01-01\n', 'reason'],
    ['waivers:\n  - check: hooks\n    reason: a\n    until: 2027-02-30\n', 'until'],
    ['a: &a [x]\nwaivers: [*a, *a]\n', 'YAML'],
    [`${'['.repeat(20_000)}`, 'YAML'],
    ['checks: []\n', 'unknown key'],
    ['members:\n  ada@example.org: A d a\n', 'handle'],
    [' '.repeat(40_000), 'characters'],
  ])('that are malformed are refused: %#', (text, rule) => {
    expect(() => scanOf(withFiles(ready, { '.tms-scan.yml': text }))).toThrow(rule);
  });
});
