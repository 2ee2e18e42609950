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
  'Unlicense',
  '(MPL-2.0 OR Apache-2.0)',
]);

/** The terms of the two licences that most packages have, without the notices before and after. */
const commonTerms =
  /Permission is hereby granted,? free of charge[\s\S]*SOFTWARE\.?$|Apache License\s+Version 2\.0[\s\S]*?END OF TERMS AND CONDITIONS/i;

/**
 * Returns the licences of the packages that bundled files come from, as one text. `inputs` are paths relative to the
 * root; packages with the same text or terms share them. One that names its licence and has no text of it gets the usual
 * one. Throws Error for a package with a licence that nobody has accepted.
 */
export function thirdPartyLicences(root: string, inputs: readonly string[]): string {
  const foreign = Object.groupBy(inputs, (input) => packageFolder(input) ?? '');
  const namesOfText = new Map<string, string[]>();
  const ownerOfTerms = new Map<string, string>();
  for (const [folder, files = []] of Object.entries(foreign).sort()) {
    if (folder === '') continue;
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    if (!accepted.has(license)) throw new Error(`${name} ${version} has the licence ${license}`);
    const text = licenceFile(join(root, folder)) || licencesInFiles(root, files) || usualText(name, license);
    const shared = text.replace(commonTerms, (terms) => {
      const owner = ownerOfTerms.getOrInsert(terms.toLowerCase().replace(/\W+/g, ' ').trim(), name);
      return owner === name ? terms : `The terms are those of ${owner} above.`;
    });
    namesOfText.getOrInsert(shared, []).push(`${name} ${version} (${license})`);
  }
  const sections = [...namesOfText].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`);
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

/** Texts of the licences whose packages sometimes have none, from https://spdx.org/licenses/. */
const usualTexts: Readonly<Record<string, string>> = {
  Unlicense:
    'This is free and unencumbered software released into the public domain (https://unlicense.org).',
  MIT: `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`,
  ISC: `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby
granted, provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.`,
};

function usualText(name: string, licence: string): string {
  const text = usualTexts[licence];
  if (text === undefined) throw new Error(`${name} has no text of its licence`);
  return `Copyright (c) the authors of ${name}\n\n${text}`;
}
