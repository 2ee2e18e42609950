import { type Check, doesNotApply, fail, type Outcome, pass } from './check.ts';
import { runnableNames } from './commands.ts';
import { dependenciesOf, fileFor, ownFile, type Unit } from './kinds.ts';
import { asObject, below } from './repository.ts';

const startFiles =
  /^(?:(?:docker-)?compose\.ya?ml|\.devcontainer(?:\.json|\/.+)|(?:bin|scripts?)\/(?:setup|bootstrap|start|dev|server|up)(?:\.\w{1,4})?|(?:setup|bootstrap|start|run)\.sh|gradlew|mvnw|Cargo\.toml|go\.(?:mod|work)|Package\.swift|mix\.exs|manage\.py|uv\.lock|poetry\.lock|pixi\.lock|flake\.nix|Vagrantfile|Tiltfile|skaffold\.yaml|[^/]+\.slnx?)$/;
const startName = /^(?:start|dev|develop|serve|setup|bootstrap|install|up|run|build|all|init)$/;

function oneCommand(unit: Unit): Outcome {
  const { repository } = unit;
  const found = ownFile(unit, startFiles);
  if (found !== undefined) return pass('One command makes it run.', found);
  const { scripts, main, exports } = repository.object('package.json');
  const names = Object.keys(asObject(scripts));
  if (names.some((name) => startName.test(name))) return pass('A script makes it run.', 'package.json');
  // What is imported as it is needs no more than its dependencies.
  if (unit.kind === 'library' && (main !== undefined || exports !== undefined)) {
    return pass('npm install makes it ready.', 'package.json');
  }
  const { 'build-system': build } = repository.object('pyproject.toml');
  if (build !== undefined) return pass('pip install makes it ready.', 'pyproject.toml');
  if ([...runnableNames(repository).targets.keys()].some((name) => startName.test(name))) {
    return pass('A target makes it run.');
  }
  return fail('No single command makes it run.');
}

const pins =
  /^(?:\.nvmrc|\.node-version|\.python-version|\.ruby-version|\.java-version|\.go-version|\.tool-versions|\.?mise\.toml|\.sdkmanrc|rust-toolchain(?:\.toml)?|global\.json|flake\.nix|shell\.nix|devbox\.json|runtime\.txt|\.swift-version|\.terraform-version|Dockerfile|\.devcontainer(?:\.json|\/devcontainer\.json)|pixi\.toml)$/;

function pinnedRuntime(unit: Unit): Outcome {
  const { repository, folder, sources } = unit;
  if (sources.every((path) => /\.(?:sh|bash|ps1|sql|tf)$/.test(path))) {
    return doesNotApply('Its languages come with the machine.');
  }
  const found = fileFor(unit, pins);
  if (found !== undefined) return pass('The version of the runtime is pinned.', found);
  for (const at of [...new Set([folder, ''])]) {
    const manifest = repository.object(below(at, 'package.json'));
    const python = repository.object(below(at, 'pyproject.toml'));
    const cargo = asObject(repository.object(below(at, 'Cargo.toml')).package);
    const patterns: [name: string, isPinned: boolean][] = [
      ['package.json', ['engines', 'volta', 'devEngines'].some((name) => manifest[name] !== undefined)],
      ['package.json', asObject(manifest.dependencies).node !== undefined],
      ['pyproject.toml', asObject(python.project)['requires-python'] !== undefined],
      ['pyproject.toml', asObject(asObject(asObject(python.tool).poetry).dependencies).python !== undefined],
      ['Cargo.toml', cargo['rust-version'] !== undefined],
      ['go.mod', /^(?:go|toolchain) \S/m.test(repository.text(below(at, 'go.mod')) ?? '')],
      ['Gemfile', /^\s{0,9}ruby\b/m.test(repository.text(below(at, 'Gemfile')) ?? '')],
      [
        'pom.xml',
        /<(?:java\.version|maven\.compiler\.(?:release|source)|release)>/.test(
          repository.text(below(at, 'pom.xml')) ?? '',
        ),
      ],
      [
        'build.gradle',
        /languageVersion|sourceCompatibility/.test(repository.text(below(at, 'build.gradle')) ?? ''),
      ],
      [
        'build.gradle.kts',
        /languageVersion|jvmToolchain|sourceCompatibility/.test(
          repository.text(below(at, 'build.gradle.kts')) ?? '',
        ),
      ],
      ['composer.json', asObject(repository.object(below(at, 'composer.json')).require).php !== undefined],
      ['mix.exs', /elixir:/.test(repository.text(below(at, 'mix.exs')) ?? '')],
      [
        'CMakeLists.txt',
        /cmake_minimum_required|CMAKE_CXX_STANDARD/i.test(repository.text(below(at, 'CMakeLists.txt')) ?? ''),
      ],
    ];
    const pinned = patterns.find(([, isPinned]) => isPinned);
    if (pinned !== undefined) return pass('The version of the runtime is pinned.', below(at, pinned[0]));
  }
  return fail('Nothing says which version of the runtime is needed.');
}

const examples =
  /(?:^|\/)(?:\.?env(?:ironment)?[._-](?:example|sample|template|dist|defaults?)|(?:example|sample|template)\.env|\.env\.\w{1,20}\.(?:example|sample|template)|\.envrc)$/i;
const environmentLibraries =
  /^(?:dotenv|@dotenvx\/dotenvx|python-dotenv|pydantic-settings|dotenvy|environs|django-environ|phpdotenv)\b/;

function environmentExample(unit: Unit): Outcome {
  const { repository, folder, kind } = unit;
  const found = fileFor(unit, examples);
  if (found !== undefined) return pass('An example names the environment that is needed.', found);
  if (kind === 'library') return doesNotApply('A library is given its settings.');
  const library = dependenciesOf(repository, folder).find((name) => environmentLibraries.test(name));
  if (library !== undefined) return fail('Settings are read from .env, and no example names them.');
  for (const path of [below(folder, 'compose.yaml'), below(folder, 'docker-compose.yml'), '.gitignore']) {
    const text = repository.text(path) ?? '';
    if (/^\s{0,99}(?:- )?env_file\b|^\/?\.env\s{0,9}$/m.test(text)) {
      return fail('Settings are read from .env, and no example names them.', path);
    }
  }
  return doesNotApply('Nothing reads an .env file.');
}

/** Whether an agent gets from a clone to a running program. */
export const startUpChecks: readonly Check[] = [
  {
    id: 'one-command',
    pillar: 'start_up',
    weight: 8,
    scope: 'repository',
    title: 'One command makes it run',
    rests_on:
      'Errors of the environment, such as missing modules, go with fewer solved tasks and longer runs (arXiv 2503.12374, 3,977 runs).',
    fix: 'Add a script `start` or `dev`, a target `setup`, a compose file or a dev container.',
    notFor: ['documentation', 'tests_only'],
    run: oneCommand,
  },
  {
    id: 'pinned-runtime',
    pillar: 'start_up',
    weight: 6,
    scope: 'workspace',
    title: 'The runtime is pinned',
    rests_on: 'As for one-command: the wrong version fails in ways that look like a fault of the change.',
    fix: 'Name the version, for example in .nvmrc, .python-version, rust-toolchain.toml, `engines` or `requires-python`.',
    notFor: ['documentation'],
    run: pinnedRuntime,
  },
  {
    id: 'environment-example',
    pillar: 'start_up',
    weight: 6,
    scope: 'workspace',
    title: 'An example names the environment',
    rests_on: 'Reasoning: an agent cannot guess a setting, and must not read the real one.',
    fix: 'Commit an .env.example with every setting and no secret.',
    notFor: ['documentation', 'tests_only'],
    run: environmentExample,
  },
];
