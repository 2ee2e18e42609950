import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildCommit } from './build-commit.ts';

const root = new URL('../../../', import.meta.url);

/** The version of this program, as in CHANGELOG.md. */
export const productVersion: string = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')).version;

const commit = buildCommit(fileURLToPath(root));

/** The version, and behind a `+` the commit that this build was made from, where that is known. */
export const buildVersion: string = commit === undefined ? productVersion : `${productVersion}+${commit}`;
