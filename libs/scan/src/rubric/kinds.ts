import { asObject, asTexts, below, nameOf, type Repository } from './repository.ts';

/** What a repository or workspace is for; it decides which checks apply. */
export type Kind = 'library' | 'service' | 'application' | 'tests_only' | 'documentation' | 'monorepo';

/** A repository without workspaces, or one of its workspaces. */
export interface Unit {
  repository: Repository;
  /** From the root; '' for the root itself. */
  folder: string;
  /** Its files, without those of workspaces within it. */
  paths: readonly string[];
  /** Those of them that are source code. */
  sources: readonly string[];
  kind: Kind;
}

const sourceFiles =
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rs|java|kts?|scala|cs|fs|vb|rb|php|swift|mm?|c|h|cc|cpp|cxx|hpp|ex|exs|erl|clj|hs|ml|dart|lua|pl|r|jl|zig|sh|bash|ps1|sql|tf)$/i;
/** Code that sets up tools is not what a repository is about. */
const settingsFiles =
  /(?:^|\/)(?:\.[^/]+\/|[^/]+\.config\.[cm]?[jt]s$|(?:conf|setup|noxfile)\.py$|[^/]+\.gradle\.kts$|Package\.swift$|mix\.exs$)/;
const testFiles =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|testing|cypress|features)\/|(?:^|\/)test_[^/]+$|[._-](?:test|spec|e2e|tests|cy)\.[^/]+$|Tests?\.(?:java|kt|cs|swift|php)$|_test\.\w+$/;

const serviceFiles =
  /^(?:Procfile|[^/]+\.wsgi|[aw]sgi\.py|fly\.toml|app\.ya?ml|serverless\.ya?ml|(?:docker-)?compose\.ya?ml|Chart\.yaml|wrangler\.(?:toml|jsonc?))$/;
/** A container that listens. Others hold what builds or tests. */
const containers = /^Dockerfile[^/]*$/;
const listens = /^[ \t]{0,9}EXPOSE[ \t]/im;
const serverLibraries =
  /^(?:express|fastify|koa|@hapi\/hapi|hono|@nestjs\/core|next)$|^(?:flask|django|fastapi|starlette|aiohttp|tornado|uvicorn|gunicorn)\b|^(?:actix-web|axum|rocket|warp|tonic)$/i;
const serverWords =
  /\b(?:gin-gonic\/gin|labstack\/echo|go-chi\/chi|gofiber\/fiber|google\.golang\.org\/grpc|spring-boot-starter-web|org\.springframework\.boot|ktor-server|rails|sinatra|laravel\/framework|phoenix)\b/;
const applicationFiles =
  /^(?:src\/main\.rs|main\.go|cmd\/[^/]+\/main\.go|manage\.py|main\.py|__main__\.py|(?:app|src\/main)\/Main\.hs|index\.html|Package\.resolved|app\/src\/main\/AndroidManifest\.xml)$|\.xcodeproj\//;

/** Whether a path is a test by its name or folder. */
export function isTest(path: string): boolean {
  return testFiles.test(path);
}

/** Describes a folder with its files: what is source code, and what it is for. */
export function describeUnit(repository: Repository, folder: string, paths: readonly string[]): Unit {
  const sources = paths.filter((path) => sourceFiles.test(path) && !settingsFiles.test(path));
  return { repository, folder, paths, sources, kind: kindOf(repository, folder, paths, sources) };
}

function kindOf(
  repository: Repository,
  folder: string,
  paths: readonly string[],
  sources: readonly string[],
): Kind {
  if (sources.length === 0) return 'documentation';
  if (sources.every(isTest)) return 'tests_only';
  const start = folder === '' ? 0 : folder.length + 1;
  const names = paths.map((path) => path.slice(start));
  const texts = [
    'go.mod',
    'pom.xml',
    'build.gradle',
    'build.gradle.kts',
    'Gemfile',
    'composer.json',
    'mix.exs',
  ];
  if (
    names.some((name) => serviceFiles.test(name)) ||
    names.some((name) => containers.test(name) && listens.test(repository.text(below(folder, name)) ?? '')) ||
    dependenciesOf(repository, folder).some((name) => serverLibraries.test(name)) ||
    texts.some((name) => serverWords.test(repository.text(below(folder, name)) ?? ''))
  ) {
    return 'service';
  }
  return installsProgram(repository, folder) || names.some((name) => applicationFiles.test(name))
    ? 'application'
    : 'library';
}

/** Whether a package puts a command on the machine. */
function installsProgram(repository: Repository, folder: string): boolean {
  const { scripts } = asObject(repository.object(below(folder, 'pyproject.toml')).project);
  return (
    scripts !== undefined ||
    ['package.json', 'composer.json'].some(
      (name) => repository.object(below(folder, name)).bin !== undefined,
    ) ||
    ['setup.py', 'setup.cfg'].some((name) =>
      /\bconsole_scripts\b/.test(repository.text(below(folder, name)) ?? ''),
    )
  );
}

/** Returns the names of the packages that a unit says it needs, of npm, Cargo and Python. */
export function dependenciesOf(repository: Repository, folder: string): string[] {
  const manifest = repository.object(below(folder, 'package.json'));
  const cargo = repository.object(below(folder, 'Cargo.toml'));
  const python = repository.object(below(folder, 'pyproject.toml'));
  const poetry = asObject(asObject(python.tool).poetry);
  return [
    ...Object.keys(asObject(manifest.dependencies)),
    ...Object.keys(asObject(manifest.devDependencies)),
    ...Object.keys(asObject(cargo.dependencies)),
    ...asTexts(asObject(python.project).dependencies),
    ...Object.keys(asObject(poetry.dependencies)),
    ...(repository.text(below(folder, 'requirements.txt')) ?? '').split('\n').map((line) => line.trim()),
  ].filter((name) => name !== '');
}

/** Finds the first of a unit's files whose path within the unit fits. */
export function ownFile({ folder, paths }: Unit, pattern: RegExp): string | undefined {
  const start = folder === '' ? 0 : folder.length + 1;
  return paths.find((path) => pattern.test(path.slice(start)));
}

/** Finds a file of the unit, or one of the repository's root, which counts for all workspaces. */
export function fileFor(unit: Unit, pattern: RegExp): string | undefined {
  const own = ownFile(unit, pattern);
  if (own !== undefined || unit.folder === '') return own;
  return unit.repository.rootPaths.find((path) => pattern.test(path));
}

/** Finds the first source of a unit in one of the languages, by the ends of file names. */
export function sourceIn({ sources }: Unit, languages: RegExp): string | undefined {
  return sources.find((path) => languages.test(nameOf(path)));
}
