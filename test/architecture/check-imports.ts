import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import {
  environmentReaders,
  evaluationFiles,
  gatewayNouns,
  type Kind,
  kinds,
  libraries,
  libraryRooms,
  longClosures,
  reachingOut,
  rooms,
  testFiles,
  zones,
} from './rules.ts';
import type { SourceFile } from './source-file.ts';
import type { Package, SourceTree } from './source-tree.ts';

/** One place where the tree breaks a rule. */
export interface Finding {
  file: string;
  rule: string;
  detail: string;
}

const scope = '@teammemory/';

/** Holds every import of every file against the table in rules.ts. */
export function checkImports(tree: SourceTree): Finding[] {
  return tree.packages.flatMap((owner) => owner.files.flatMap((file) => checkFile(tree, owner, file)));
}

function checkFile(tree: SourceTree, owner: Package, file: SourceFile): Finding[] {
  const findings: Finding[] = [];
  const report = (rule: string, detail: string) => findings.push({ file: file.path, rule, detail });
  if (file.importsComputed) report('computed import', 'imports a module whose name is computed');
  if (file.readsEnvironment && !environmentReaders.some((pattern) => pattern.test(file.path))) {
    report('environment', 'only a configuration file may read the environment');
  }
  if (file.spreadsLiteral) report('literal spread', 'spreads an object literal, which hides unknown members');
  for (const name of file.oddHandlers) report('handler', `${name} takes no one destructured object`);
  if (!longClosures.mayBe.test(file.path) && longClosures.except[file.path] === undefined) {
    for (const name of file.longClosures) report('long closure', `${name} keeps state in over 100 lines`);
  }
  for (const specifier of file.specifiers) {
    const rule = specifier.startsWith('.')
      ? brokenByRelative(owner, file, specifier)
      : (brokenByReach(file, specifier) ?? brokenByKind(file, specifier) ?? brokenByExports(tree, specifier));
    if (rule !== undefined) report(rule, `may not import ${specifier}`);
  }
  return findings;
}

function brokenByRelative(owner: Package, file: SourceFile, specifier: string): string | undefined {
  if (evaluationFiles.test(file.path)) return undefined;
  const target = posix.join(posix.dirname(file.path), specifier);
  const inside = posix.relative(owner.folder, target);
  if (inside.startsWith('..') || (owner.folder === '' && !/^(scripts|test\/support)\//.test(inside)))
    return 'outside package';
  if (testFiles.files.test(file.path)) return undefined;
  const room = libraryRooms.find(({ files }) => files.test(file.path));
  if (room !== undefined && !room.mayImport.test(target)) return 'room order';
  if (reachesOtherNoun(file.path, target)) return 'noun';
  const folders = zones.find((zone) => zone.files.test(file.path))?.folders;
  if (folders === undefined) return undefined;
  if (!folders.includes(inside.split('/')[0] ?? '')) return 'layer';
  return brokenByRooms(file.path, target);
}

function reachesOtherNoun(path: string, target: string): boolean {
  const { folders, composers } = gatewayNouns;
  const [own, other] = [path, target].map((each) => /^gateway\/([^/]+)\//.exec(each)?.[1] ?? '');
  return folders.includes(other ?? '') && other !== own && !composers.test(path);
}

function brokenByRooms(path: string, target: string): string | undefined {
  const [from, to] = [path, target].map((each) => /^services\/([^/]+)\/domain\/(?:([^/]+)\/)?/.exec(each));
  const layers = rooms[from?.[1] ?? ''];
  if (layers === undefined) return undefined;
  const [own = '', other = ''] = [from?.[2], to?.[2]];
  const layerOf = (room: string) => layers.findIndex((layer) => layer.includes(room));
  if (layerOf(own) === -1 || layerOf(other) === -1) return 'room order';
  return own === other || layerOf(other) < layerOf(own) ? undefined : 'room order';
}

function brokenByReach({ path }: SourceFile, specifier: string): string | undefined {
  const { domains, modules, except } = reachingOut;
  return domains.test(path) && modules.test(specifier) && !except.includes(path) ? 'reach' : undefined;
}

function brokenByKind(file: SourceFile, specifier: string): string | undefined {
  const kind = kindOf(specifier);
  if (kind === undefined) return undefined;
  if (testFiles.files.test(file.path) && testFiles.kinds.includes(kind)) return undefined;
  const library = /^libs\/([^/]+)\//.exec(file.path)?.[1];
  const room = libraryRooms.find(({ files }) => files.test(file.path));
  if (room?.kinds !== undefined && !room.kinds.includes(kind)) return 'zone';
  if (library !== undefined) return brokenByOrder(library, kind, specifier);
  const zone = zones.find(({ files }) => files.test(file.path));
  // Outside the zones are scripts and configuration, which work without any package of the program.
  const allowed = zone?.kinds ?? ['tests'];
  return allowed.includes(kind) && !(zone === undefined && specifier.startsWith(scope)) ? undefined : 'zone';
}

function brokenByOrder(library: string, kind: Kind, specifier: string): string | undefined {
  const rank = (name: string) => libraries.findIndex((candidate) => candidate.name === name);
  if (rank(library) === -1) return 'library order';
  if (!specifier.startsWith(scope))
    return libraries[rank(library)]?.kinds.includes(kind) ? undefined : 'zone';
  const target = rank(specifier.split('/')[1] ?? '');
  return target !== -1 && target < rank(library) ? undefined : 'library order';
}

function kindOf(specifier: string): Kind | undefined {
  return (Object.keys(kinds) as Kind[]).find((kind) => kinds[kind].test(specifier));
}

/** Only what a package's `exports` offers may be imported, and it has to be there. */
function brokenByExports(tree: SourceTree, specifier: string): string | undefined {
  if (!specifier.startsWith(scope)) return undefined;
  const name = specifier.split('/').slice(0, 2).join('/');
  const target = tree.packages.find(({ manifest }) => manifest.name === name);
  const wanted = `.${specifier.slice(name.length)}`;
  const offered = Object.entries(target?.manifest.exports ?? {}).map(([key, path]) => {
    if (!key.endsWith('*')) return key === wanted ? path : undefined;
    return wanted.startsWith(key.slice(0, -1)) ? path.replace('*', wanted.slice(key.length - 1)) : undefined;
  });
  const path = offered.find((candidate) => candidate !== undefined);
  const exists = path !== undefined && existsSync(join(tree.root, target?.folder ?? '', path));
  return exists ? undefined : 'not exported';
}
