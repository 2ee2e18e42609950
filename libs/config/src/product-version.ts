import { readFileSync } from 'node:fs';

const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');

/** The version of this program, as in CHANGELOG.md. */
export const productVersion: string = JSON.parse(manifest).version;
