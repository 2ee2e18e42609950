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

export interface Stage {
  /** Where the repository is. */
  root: string;
  /** The workspace that the package is made of; its `package/` has the README and the CHANGELOG. */
  source: string;
  /** The folder that is packed. */
  target: string;
}

/** Lays out a package but for its code: manifest, README, CHANGELOG and licence. */
export function stagePackage({ root, source, target }: Stage, manifest: Record<string, unknown>): void {
  const { name, version, license } = readManifest(source);
  mkdirSync(target, { recursive: true });
  for (const file of ['README.md', 'CHANGELOG.md']) {
    copyFileSync(join(source, 'package', file), join(target, file));
  }
  copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
  const whole = { name, version, license, type: 'module', engines: { node: '>=20' }, ...manifest };
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(whole, null, 2)}\n`);
}
