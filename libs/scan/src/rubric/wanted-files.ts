import { folderOf, nameOf } from './repository.ts';

/** Files that are read of one repository. */
const maxFilesRead = 2_000;

/** Files that say to which machine a change is given, and what it does with it. */
export const ciFiles =
  /^(?:\.(?:github|gitea|forgejo)\/workflows\/[^/]+\.ya?ml|\.gitlab-ci\.ya?ml|\.gitlab\/.+\.ya?ml|\.circleci\/config\.ya?ml|\.?azure-pipelines[^/]*(?:\/[^/]+)?\.ya?ml|Jenkinsfile|\.travis\.ya?ml|bitbucket-pipelines\.ya?ml|\.buildkite\/[^/]+|\.drone\.ya?ml|\.woodpecker(?:\.ya?ml|\/[^/]+\.ya?ml)|\.?appveyor\.ya?ml|\.cirrus\.ya?ml|\.ci\/[^/]+)$/;

/** Files that coding agents obey, from the root. */
export const instructionFiles =
  /^(?:AGENTS\.md|CLAUDE\.md|\.claude\/CLAUDE\.md|GEMINI\.md|\.github\/copilot-instructions\.md|\.cursorrules|\.cursor\/rules\/[^/]+\.mdc?|\.windsurfrules|\.clinerules)$/;

/** Scripts that a CI file may start. */
export const scriptFiles = /^(?:scripts?|bin|ci|tools|hack|build)\/[^/]+$/;

/** Files with recipes. GNU make knows three names of its own. */
export const makeFiles = /(?:^|\/)(?:GNUmakefile|[Mm]akefile|[^/]+\.mk)$/;
export const justFiles = /(?:^|\/)(?:\.?[Jj]ustfile|Taskfile\.ya?ml)$/;

const manifests = new Set([
  'package.json',
  'pnpm-workspace.yaml',
  'Cargo.toml',
  'go.mod',
  'go.work',
  'settings.gradle',
  'settings.gradle.kts',
  'build.gradle',
  'build.gradle.kts',
  'pom.xml',
  'pyproject.toml',
  'setup.cfg',
  'setup.py',
  'tox.ini',
  'requirements.txt',
  'Gemfile',
  'composer.json',
  'deno.json',
  'mix.exs',
  'jsconfig.json',
  'CMakeLists.txt',
]);

const fromRoot =
  /^(?:\.tms-scan\.yml|\.gitignore|README(?:\.\w{2,4})?|CONTRIBUTING\.md|\.claude\/settings\.json|(?:docker-)?compose\.ya?ml)$/i;

function isWanted(path: string): boolean {
  return (
    manifests.has(nameOf(path)) ||
    nameOf(path).startsWith('Dockerfile') ||
    fromRoot.test(path) ||
    ciFiles.test(path) ||
    instructionFiles.test(path) ||
    scriptFiles.test(path) ||
    makeFiles.test(path) ||
    justFiles.test(path)
  );
}

/** Code of others and prepared inputs of tests: what they say is not about this repository. */
export const foreignFolders = /(?:^|\/)(?:node_modules|vendor|third_party|fixtures?|testdata|__fixtures__)\//;

/** Chooses the files whose texts the checks need, those near the root first. */
export function wantedFiles(paths: readonly string[]): string[] {
  return paths
    .filter((path) => isWanted(path) && !foreignFolders.test(path))
    .map((path) => ({ path, depth: folderOf(path).split('/').length }))
    .sort((one, other) => one.depth - other.depth)
    .slice(0, maxFilesRead)
    .map(({ path }) => path);
}
