import { parse as parseYaml } from 'yaml';
import { asObject, asTexts, folderOf, nameOf, type Repository } from './repository.ts';

/** Workspaces that are scanned by themselves; further ones count for the repository. */
const maxWorkspaces = 500;
/** Patterns of one tool that are followed, each of which is held against every candidate. */
const maxPatterns = 500;
/** Folders with a manifest that may be workspaces. */
const maxCandidates = 5_000;
/** A longer pattern is none that a person wrote. */
const maxPatternCharacters = 200;
/** Text of a YAML file that is parsed: aliases and nesting of more would take time. */
const maxYamlCharacters = 16_384;

/** What a tool says about workspaces, and the file that each of them has. */
interface Declared {
  patterns: string[];
  manifest: RegExp;
}

/** Finds the folders that npm, pnpm, Cargo, Go or Gradle call workspaces, in alphabetical order. */
export function findWorkspaces(repository: Repository): string[] {
  const found = new Set<string>();
  for (const { patterns, manifest } of declarations(repository)) {
    const usable = patterns.slice(0, maxPatterns).filter((each) => each.length <= maxPatternCharacters);
    if (usable.length === 0) continue;
    const wanted = usable.filter((each) => !each.startsWith('!')).map(segmentsOf);
    const unwanted = usable.filter((each) => each.startsWith('!')).map((each) => segmentsOf(each.slice(1)));
    const candidates = repository.paths.filter((path) => manifest.test(nameOf(path)));
    for (const folder of candidates.slice(0, maxCandidates).map(folderOf)) {
      if (folder === '' || found.has(folder)) continue;
      const segments = folder.split('/');
      const fits = (pattern: readonly string[]) => matches(pattern, segments);
      if (wanted.some(fits) && !unwanted.some(fits)) found.add(folder);
    }
  }
  return [...found].sort().slice(0, maxWorkspaces);
}

function declarations(repository: Repository): Declared[] {
  const { workspaces } = repository.object('package.json');
  const cargo = asObject(repository.object('Cargo.toml').workspace);
  return [
    {
      patterns: Array.isArray(workspaces) ? asTexts(workspaces) : asTexts(asObject(workspaces).packages),
      manifest: /^package\.json$/,
    },
    { patterns: pnpmPatterns(repository), manifest: /^package\.json$/ },
    {
      patterns: [...asTexts(cargo.members), ...asTexts(cargo.exclude).map((each) => `!${each}`)],
      manifest: /^Cargo\.toml$/,
    },
    { patterns: goPatterns(repository.text('go.work') ?? ''), manifest: /^go\.mod$/ },
    { patterns: gradlePatterns(repository), manifest: /^(?!settings\.|init\.)[\w.-]+\.gradle(?:\.kts)?$/ },
  ];
}

function pnpmPatterns(repository: Repository): string[] {
  const text = repository.text('pnpm-workspace.yaml') ?? '';
  if (text === '' || text.length > maxYamlCharacters) return [];
  try {
    return asTexts(asObject(parseYaml(text, { maxAliasCount: 0 })).packages);
  } catch {
    return [];
  }
}

/** `use ./a` and the lines of `use ( … )`. */
function goPatterns(text: string): string[] {
  const [, block = ''] = /^use[ \t]{0,9}\(([^)]*)\)/m.exec(text) ?? [];
  const single = [...text.matchAll(/^use[ \t]{1,9}([^\s(]+)/gm)].map(([, folder = '']) => folder);
  return [...single, ...block.split('\n').map((line) => (line.split('//')[0] ?? '').trim())].filter(Boolean);
}

/** `include 'a', ':b:c'`, where a colon is a folder. Large builds keep their projects in `subprojects`. */
function gradlePatterns(repository: Repository): string[] {
  return ['settings.gradle', 'settings.gradle.kts'].flatMap((name) =>
    (repository.text(name) ?? '')
      .split('\n')
      .filter((line) => /^\s{0,9}include\b/.test(line) || /^\s{0,9}['"]:/.test(line))
      .flatMap((line) => [...line.matchAll(/['"]:?([\w:./-]{1,200})['"]/g)])
      .map(([, project = '']) => project.replaceAll(':', '/'))
      .flatMap((project) => [project, `subprojects/${project}`]),
  );
}

function segmentsOf(pattern: string): string[] {
  return pattern.split('/').filter((each) => each !== '' && each !== '.');
}

/** Whether a pattern fits whole; `*` stands for characters of a name, `**` for any number of folders. */
function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return segments.length === 0;
  if (first === '**') {
    // Several of them would be tried against each other.
    const last = rest.filter((each) => each !== '**');
    return segments.some((_, at) => matches(last, segments.slice(at))) || last.length === 0;
  }
  const [segment, ...others] = segments;
  return segment !== undefined && fitsName(first, segment) && matches(rest, others);
}

function fitsName(pattern: string, name: string): boolean {
  const [start = '', ...parts] = pattern.split('*');
  if (parts.length === 0) return pattern === name;
  if (!name.startsWith(start)) return false;
  let at = start.length;
  const end = parts.pop() ?? '';
  for (const part of parts) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return name.length - end.length >= at && name.endsWith(end);
}

/** Gives every file to the innermost workspace around it, or to '', the root. */
export function filesByWorkspace(
  paths: readonly string[],
  workspaces: readonly string[],
): Map<string, string[]> {
  const files = new Map<string, string[]>();
  for (const each of ['', ...workspaces]) files.set(each, []);
  const owners = new Map<string, string>([['', '']]);
  const ownerOf = (folder: string): string => {
    const known = owners.get(folder);
    if (known !== undefined) return known;
    const owner = files.has(folder) ? folder : ownerOf(folderOf(folder));
    owners.set(folder, owner);
    return owner;
  };
  for (const path of paths) files.get(ownerOf(folderOf(path)))?.push(path);
  return files;
}
