import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { defaultsOf, partFolders, settingsOf } from './support/part-settings.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
// Fenced blocks are examples: what looks like a link or a heading in them is none.
const readProse = (file: string) => read(file).replace(/^```[\s\S]*?^```/gm, '');

/** The groups of every match, in order. */
function matches(text: string, pattern: RegExp): string[][] {
  return [...text.matchAll(pattern)].map(([, ...groups]) => groups);
}

/** Rows of a page's tables whose first two cells are code, or where the second says that there is no default. */
function tableRows(page: string, section: string): string[][] {
  const [, text = ''] = readProse(page).split(`\n## ${section}\n`);
  const [rows = ''] = text.split('\n## ');
  return matches(rows, /^\| `([^`]+)` \| `?([^`|]*?)`? \|/gm);
}

const documentedSettings = tableRows('docs/configuration.md', 'Settings');

test('docs/configuration.md lists exactly the settings of the service, in their order, with their defaults', () => {
  const settings = defaultsOf('services/all');
  expect(settings).toContainEqual(['PORT', '8080']);
  expect(documentedSettings).toEqual(settings);
});

const parts = Object.values(partFolders);

test.for([...parts, 'services/separate'])(
  '%s/README.md lists exactly the settings of its config.ts',
  (folder) => {
    const settings = defaultsOf(folder);
    expect(settings).toContainEqual(['LOG_LEVEL', 'info']);
    expect(tableRows(`${folder}/README.md`, 'Settings')).toEqual(settings);
  },
);

test('docs/configuration.md explains every setting that only single parts have', () => {
  const general = new Set(documentedSettings.map(([name]) => name));
  const special = parts.flatMap(settingsOf).filter((name) => !general.has(name));
  const explained = tableRows('docs/configuration.md', 'Settings of single parts').map(([name]) => name);
  expect(explained.toSorted()).toEqual([...new Set(special)].toSorted());
});

test('.env.example has the same settings with the same defaults', () => {
  const examples = matches(read('.env.example'), /^([A-Z][A-Z0-9_]*)=(.*)$/gm);
  const documented = documentedSettings.map(([name, value]) => [name, value === 'unset' ? '' : value]);
  expect(examples.toSorted()).toEqual(documented.toSorted());
});

const documentedCodes = tableRows('docs/errors.md', 'Codes');

test('docs/errors.md lists exactly the codes of libs/errors, in their order', () => {
  const [, list = ''] = /errorCodes = \[([^\]]*)\]/.exec(read('libs/errors/src/app-error.ts')) ?? [];
  const codes = matches(list, /'(\w+)'/g).flat();
  expect(codes).toContain('not_found');
  expect(documentedCodes.map(([code]) => code)).toEqual(codes);
});

test('docs/errors.md gives each code the status that the gateway answers', () => {
  const answered = matches(read('gateway/http-error.ts'), /^ {2}(\w+): \{\n {4}status: (\d{3}),/gm);
  expect(documentedCodes.toSorted()).toEqual(answered.toSorted());
});

const pages = globSync('**/*.md', {
  cwd: root,
  exclude: (path) => /(^|\/)(node_modules|fixtures|\.[^/.][^/]*)(\/|$)/.test(path),
});

test('relative links in every page lead to a file, and to a heading where they name one', () => {
  expect(pages).toContain('README.md');
  const broken = pages.flatMap((page) =>
    matches(readProse(page), /\]\(([^)\s]+)\)/g)
      .flat()
      .filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(page, link))
      .map((link) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', heading] = link.split('#');
  const target = path === '' ? page : relative(root, join(root, dirname(page), path));
  if (!existsSync(join(root, target))) return false;
  return heading === undefined || anchorsOf(target).includes(heading);
}

/** Anchors as GitHub makes them: lower case, punctuation dropped, blanks to hyphens. */
function anchorsOf(page: string): string[] {
  return matches(readProse(page), /^#{1,6} (.+)$/gm).map(([heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
