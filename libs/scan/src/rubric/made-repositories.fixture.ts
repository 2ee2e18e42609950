import { type Files, ready } from './facts.fixture.ts';
import type { Kind } from './kinds.ts';

const readme = { 'README.md': 'a'.repeat(300) };
/** A package that runs its tests. */
export const npmPart = (name: string) => ({
  [`packages/${name}/package.json`]: JSON.stringify({ name, main: 'index.js', scripts: { test: 'vitest' } }),
  [`packages/${name}/index.js`]: 'x',
});
const rust = (folder: string) => ({
  [`${folder}/Cargo.toml`]: '[package]\nname = "a"\n',
  [`${folder}/src/lib.rs`]: '',
});

/** Repositories made by hand, with the answer that was worked out for them. */
export const madeRepositories: [
  name: string,
  files: Files,
  answer: { kind: Kind; level: string; percentage: number; workspaces?: string[]; fails?: string[] },
][] = [
  [
    'nothing but a text',
    { 'notes.md': 'a' },
    { kind: 'documentation', level: 'L1', percentage: 41.2, fails: ['instructions', 'readme', 'owners'] },
  ],
  ['a script without anything', { 'run.sh': 'ls' }, { kind: 'library', level: 'L1', percentage: 24.2 }],
  [
    'a book with owners and instructions',
    { 'README.md': 'a'.repeat(300), 'chapters/1.md': 'a', CODEOWNERS: '*', 'AGENTS.md': 'Short sentences.' },
    { kind: 'documentation', level: 'L5', percentage: 100, fails: [] },
  ],
  [
    'tests of another program',
    {
      'package.json': JSON.stringify({
        scripts: { test: 'playwright test' },
        devDependencies: { '@playwright/test': '1' },
        engines: {},
      }),
      'package-lock.json': '{}',
      'tests/login.spec.ts': 'x',
      ...readme,
      '.gitlab-ci.yml': 'test:\n  script:\n    - npx playwright test\n',
    },
    {
      kind: 'tests_only',
      level: 'L3',
      percentage: 73.2,
      fails: ['linter', 'hooks', 'instructions', 'owners', 'boundaries'],
    },
  ],
  [
    'a Go service',
    {
      'go.mod': 'module a\n\ngo 1.25\n\nrequire github.com/gin-gonic/gin v1.11.0\n',
      'go.sum': 'x',
      'main.go': 'x',
      'main_test.go': 'x',
      '.github/workflows/ci.yaml': 'steps:\n  - run: go vet ./... && go test ./...\n',
      'README.md': 'a'.repeat(300),
    },
    {
      kind: 'service',
      level: 'L4',
      percentage: 82.3,
      fails: ['hooks', 'instructions', 'owners', 'boundaries'],
    },
  ],
  [
    'a Rust library, which commits no lock file',
    {
      'Cargo.toml': '[package]\nname = "a"\nrust-version = "1.90"\n',
      'src/lib.rs': '',
      ...readme,
      '.travis.yml': 'script: cargo test\n',
    },
    {
      kind: 'library',
      level: 'L3',
      percentage: 74,
      fails: ['linter', 'hooks', 'instructions', 'owners', 'boundaries'],
    },
  ],
  [
    'a Python service without tests',
    { 'requirements.txt': 'flask\npython-dotenv\n', 'app.py': 'x' },
    {
      kind: 'service',
      level: 'L0',
      percentage: 8.2,
      fails: [
        'test-command',
        'tests-in-ci',
        'lockfile',
        'types',
        'linter',
        'hooks',
        'one-command',
        'pinned-runtime',
        'environment-example',
        'instructions',
        'readme',
        'owners',
        'boundaries',
      ],
    },
  ],
  [
    'npm workspaces, one of which has no tests of its own',
    {
      ...ready,
      'package.json': JSON.stringify({
        workspaces: ['packages/*', '!packages/old'],
        engines: {},
        scripts: { start: 'a' },
      }),
      'src/main.js': 'x',
      ...npmPart('a'),
      ...npmPart('old'),
      'packages/b/package.json': '{"main":"index.js"}',
      'packages/b/index.js': 'x',
    },
    {
      kind: 'monorepo',
      level: 'L2',
      percentage: 91.8,
      workspaces: ['packages/a', 'packages/b'],
      fails: ['test-command', 'test-command in packages/b'],
    },
  ],
  [
    'pnpm workspaces',
    {
      'package.json': JSON.stringify({ scripts: { test: 'turbo test' }, packageManager: 'pnpm@10' }),
      'pnpm-workspace.yaml': 'packages:\n  - "packages/**"\n',
      ...npmPart('a'),
      ...npmPart('deep/b'),
    },
    { kind: 'monorepo', level: 'L1', percentage: 26, workspaces: ['packages/a', 'packages/deep/b'] },
  ],
  [
    'Cargo workspaces',
    {
      'Cargo.toml': '[workspace]\nmembers = ["crates/*"]\nexclude = ["crates/old"]\n',
      ...readme,
      ...rust('crates/a'),
      ...rust('crates/b'),
      ...rust('crates/old'),
    },
    { kind: 'monorepo', level: 'L2', percentage: 49.3, workspaces: ['crates/a', 'crates/b'] },
  ],
  [
    'Go workspaces',
    {
      ...readme,
      'go.work': 'go 1.25\n\nuse (\n\t./api // first\n\t./web\n)\n',
      'api/go.mod': 'module a\n\ngo 1.25\n',
      'api/a_test.go': '',
      'api/a.go': '',
      'web/go.mod': 'module b\n\ngo 1.25\n',
      'web/b.go': '',
    },
    { kind: 'monorepo', level: 'L2', percentage: 49.3, workspaces: ['api', 'web'] },
  ],
  [
    'Gradle projects',
    {
      'settings.gradle.kts': 'include(":app", ":libs:core")\n',
      gradlew: 'x',
      'app/build.gradle.kts': '',
      'app/src/main/kotlin/A.kt': '',
      'app/src/test/kotlin/ATest.kt': '',
      'libs/core/build.gradle.kts': '',
      'libs/core/src/main/kotlin/B.kt': '',
    },
    { kind: 'monorepo', level: 'L1', percentage: 35.6, workspaces: ['app', 'libs/core'] },
  ],
];
