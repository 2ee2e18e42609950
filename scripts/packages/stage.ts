import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The part of a package.json that both sides have. */
export interface SourceManifest {
  name: string;
  version: string;
  license: string;
  dependencies: Record<string, string>;
}

export function readManifest(folder: string): SourceManifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** What only whoever builds can say about the packages. */
export interface Origin {
  /** The commit that they are built from. */
  commit?: string | undefined;
  /** Addresses of the repository, of a page about it, and of where to report faults. */
  repository?: string | undefined;
  homepage?: string | undefined;
  bugs?: string | undefined;
}

export interface Stage {
  origin: Origin;
  /** Where the repository is. */
  root: string;
  /** The workspace that the package is made of; its `package/` has the README and the CHANGELOG. */
  source: string;
  /** Its CHANGELOG, if that is another. */
  changelog?: string;
  /** The folder that is packed. */
  target: string;
}

/** Lays out a package but for its code: manifest, README, CHANGELOG and licence. */
export function stagePackage(
  { origin, root, source, changelog = join(source, 'package', 'CHANGELOG.md'), target }: Stage,
  manifest: Record<string, unknown>,
): void {
  const { name, version, license } = readManifest(source);
  mkdirSync(target, { recursive: true });
  copyFileSync(join(source, 'package', 'README.md'), join(target, 'README.md'));
  copyFileSync(changelog, join(target, 'CHANGELOG.md'));
  copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
  const whole = {
    name,
    version,
    license,
    type: 'module',
    // The first with zlib.crc32.
    engines: { node: '^20.15.0 || >=22.2.0' },
    ...manifest,
    keywords: ['team-memory', 'knowledge', 'markdown', 'sync', 'search', 'mcp', 'agents'],
    repository: origin.repository && { type: 'git', url: origin.repository },
    homepage: origin.homepage,
    bugs: origin.bugs && { url: origin.bugs },
    publishConfig: { access: 'public' },
    // The name under which npm keeps it, too.
    gitHead: origin.commit,
  };
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(whole, null, 2)}\n`);
}
