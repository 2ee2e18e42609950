import { type Check, doesNotApply, fail, type Outcome, pass, unknown } from './check.ts';
import { ownFile, type Unit } from './kinds.ts';
import { asObject } from './repository.ts';
import { foreignFolders } from './wanted-files.ts';

/** A text below this is a title. */
const minReadmeCharacters = 200;
/** Fewer source files are read whole in minutes. */
const minSourcesForMap = 100;

function readme({ repository }: Unit): Outcome {
  const path = repository.paths.find((each) => /^(?:\.github\/|docs\/)?README(?:\.\w{2,4})?$/i.test(each));
  if (path === undefined) return fail('There is no README.');
  const text = repository.text(path);
  if (text === undefined)
    return /\//.test(path) ? pass('There is a README.', path) : unknown('It cannot be read.', path);
  return text.trim().length < minReadmeCharacters
    ? fail('The README says almost nothing.', path)
    : pass('There is a README.', path);
}

function map({ repository, sources }: Unit): Outcome {
  const { length } = repository.paths;
  if (sources.length < minSourcesForMap && length < minSourcesForMap * 5) {
    return doesNotApply('It is small enough to be read.');
  }
  const found = repository.first(
    /^(?:(?:docs?|doc|documentation)\/(?:.+\/)?)?(?:ARCHITECTURE|DESIGN|CODEMAP|STRUCTURE|OVERVIEW|HACKING)[^/]*\.\w{2,4}$|^(?:docs?|doc|documentation)\/(?:.+\/)?(?:adrs?|decisions|rfcs|architecture|design)\/.+/i,
  );
  return found === undefined
    ? fail('No page says where what is.')
    : pass('A page says where what is.', found);
}

const buildOutput =
  /(?:^|\/)(?:node_modules|\.venv|venv|__pycache__|\.next|\.nuxt|\.gradle|\.terraform|DerivedData)\/|(?:^|\/)target\/(?:debug|release|classes)\/|\.(?:pyc|class|o|obj)$|(?:^|\/)\.DS_Store$/;

function noBuildOutput({ repository }: Unit): Outcome {
  const found = repository.paths.find(
    (path) => buildOutput.test(path) && !/(?:^|\/)(?:fixtures?|testdata)\//.test(path),
  );
  return found === undefined
    ? pass('No build output is tracked.')
    : fail('Build output or installed packages are tracked.', found);
}

const secretFiles =
  /(?:^|\/)(?:\.env(?:\.(?:local|production|prod|staging))?|id_(?:rsa|dsa|ecdsa|ed25519)|[^/]+\.(?:p12|pfx|jks|keystore|ppk)|\.netrc|\.pgpass|\.htpasswd|credentials\.json|service-account[^/]*\.json|secrets?\.ya?ml)$/;

function noSecretFiles({ repository }: Unit): Outcome {
  const found = repository.paths.find(
    (path) =>
      secretFiles.test(path) &&
      !foreignFolders.test(path) &&
      !/(?:^|\/)(?:tests?|spec|examples?|templates?)\//.test(path),
  );
  return found === undefined
    ? pass('No file that usually holds a secret is tracked.')
    : fail('A file that usually holds a secret is tracked.', found);
}

function owners(unit: Unit): Outcome {
  const found = ownFile(
    unit,
    /^(?:(?:\.github|\.gitlab|docs)\/)?(?:CODEOWNERS|OWNERS|MAINTAINERS(?:\.md)?)$/,
  );
  return found === undefined
    ? fail('Nothing says who reviews a change.')
    : pass('It says who reviews a change.', found);
}

function boundaries(unit: Unit): Outcome {
  const settings = '.claude/settings.json';
  const { permissions, sandbox } = unit.repository.object(settings);
  if (Object.keys(asObject(permissions)).length > 0 || sandbox !== undefined) {
    return pass('It says what agents may do.', settings);
  }
  const found = ownFile(
    unit,
    /^(?:\.devcontainer(?:\.json|\/.+)|\.codex\/(?:config\.toml|rules\/.+)|\.cursor\/(?:cli|permissions|sandbox)\.json|opencode\.jsonc?|\.gemini\/settings\.json|\.github\/workflows\/copilot-setup-steps\.ya?ml)$/,
  );
  return found === undefined
    ? fail('Nothing says what agents may do, and no container holds them.')
    : pass('It says what agents may do, or where.', found);
}

/** Whether an agent finds its way, and what holds it. */
export const surroundingChecks: readonly Check[] = [
  {
    id: 'readme',
    pillar: 'navigability',
    weight: 4,
    scope: 'repository',
    title: 'A README says what this is',
    rests_on: 'Agents that gather context before they edit succeed more often (arXiv 2604.02547).',
    fix: 'Write a README: what it is, how to run it, how to test it.',
    notFor: [],
    run: readme,
  },
  {
    id: 'map',
    pillar: 'navigability',
    weight: 3,
    scope: 'repository',
    title: 'A page says where what is',
    rests_on:
      'As for readme; as a page to look up, because overviews within instruction files do not help (arXiv 2602.11988).',
    fix: 'Write a docs/architecture.md that names the main folders and why they are so, or keep records of decisions.',
    notFor: ['documentation', 'tests_only'],
    run: map,
  },
  {
    id: 'no-build-output',
    pillar: 'navigability',
    weight: 3,
    scope: 'repository',
    title: 'No build output is tracked',
    rests_on: 'Reasoning: agents search with text, and each search finds the copies too.',
    fix: 'Remove it from git with `git rm --cached`, and name it in .gitignore.',
    notFor: [],
    run: noBuildOutput,
  },
  {
    id: 'no-secret-files',
    pillar: 'guardrails',
    weight: 4,
    scope: 'repository',
    title: 'No secret files are tracked',
    rests_on: 'Reasoning: what an agent reads goes to its model.',
    fix: 'Remove the file, rotate what it held, and name it in .gitignore.',
    notFor: [],
    run: noSecretFiles,
  },
  {
    id: 'owners',
    pillar: 'guardrails',
    weight: 3,
    scope: 'repository',
    title: 'Somebody reviews changes',
    rests_on:
      'That nobody reviews them is among the reasons why changes of agents are not merged (arXiv 2601.15195).',
    fix: 'Add a CODEOWNERS file.',
    notFor: [],
    run: owners,
  },
  {
    id: 'boundaries',
    pillar: 'guardrails',
    weight: 3,
    scope: 'repository',
    title: 'It says what agents may do',
    rests_on:
      'Reasoning: what is refused by settings needs no obedience. Any client counts, and so does a dev container.',
    fix: 'Add a dev container, or permissions for your agent, such as .claude/settings.json or .codex/config.toml.',
    notFor: ['documentation'],
    run: boundaries,
  },
];
