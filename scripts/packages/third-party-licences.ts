import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Licences that let a program be passed on with nothing but their text. Another one needs a person's decision. */
const accepted = new Set([
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '(Apache-2.0 AND BSD-3-Clause)',
  'BlueOak-1.0.0',
]);

/**
 * Returns the licences of the packages that bundled files come from, as one text. `inputs` are paths relative to the
 * root. Throws Error for a package without a text of its licence, or with one that nobody has accepted.
 */
export function thirdPartyLicences(root: string, inputs: readonly string[]): string {
  const foreign = Object.groupBy(inputs, (input) => packageFolder(input) ?? '');
  const sections = Object.entries(foreign)
    .filter(([folder]) => folder !== '')
    .sort()
    .map(([folder, files = []]) => {
      const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      if (!accepted.has(license)) throw new Error(`${name} ${version} has the licence ${license}`);
      const text = licenceFile(join(root, folder)) ?? licencesInFiles(root, files);
      if (text === '') throw new Error(`${name} has no text of its licence`);
      return `${name} ${version} (${license})\n\n${text}\n`;
    });
  return `This program contains the following packages.\n\n${sections.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

function packageFolder(input: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
}

function licenceFile(folder: string): string | undefined {
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  return file === undefined ? undefined : readFileSync(join(folder, file), 'utf8').trim();
}

/** Some packages have their licences only in their files: in the comment that each begins with. */
function licencesInFiles(root: string, files: readonly string[]): string {
  const headers = files.map((file) => {
    const [header = ''] = /^(\/\/.*\n)+/.exec(readFileSync(join(root, file), 'utf8')) ?? [];
    return header.replace(/^\/\/ ?/gm, '').trim();
  });
  return [...new Set(headers)].filter((header) => /copyright/i.test(header)).join('\n\n');
}
