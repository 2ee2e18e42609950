import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { errorCodes } from '@teammemory/errors/app-error.ts';
import { tableRows, withoutExamples } from '@teammemory/testkit/markdown-table.ts';
import { expect, test } from 'vitest';
import { defaultsOf, partFolders } from './support/deployment/part-settings.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const readProse = (file: string) => withoutExamples(read(file));

/** The groups of every match, in order. */
function matches(text: string, pattern: RegExp): string[][] {
  return [...text.matchAll(pattern)].map(([, ...groups]) => groups);
}

const rowsOf = (file: string, section: string) => tableRows(read(file), section);

const configuration = 'docs/configuration.md';
const documentedSettings = rowsOf(configuration, 'Settings');

test('docs/configuration.md lists exactly the settings of the service, in their order, with their defaults', () => {
  const settings = defaultsOf('services/all');
  expect(settings).toContainEqual(['PORT', '8080']);
  expect(documentedSettings).toEqual(settings);
});

test.for(Object.entries(partFolders))(
  'docs/configuration.md names exactly the settings of %s, with their defaults',
  ([part, folder]) => {
    const settings = defaultsOf(folder);
    expect(settings).toContainEqual(['LOG_LEVEL', 'info']);
    // The later table repeats a setting if single parts have another default.
    const documented = new Map([
      ...settingsWithPart('Settings', part),
      ...settingsWithPart('Settings of single parts', part),
    ]);
    expect([...documented].toSorted()).toEqual(settings.toSorted());
  },
);

test('docs/configuration.md has the settings of services/separate', () => {
  const documented = new Set([
    ...documentedSettings.map(([name]) => name),
    ...rowsOf(configuration, 'Settings of single parts').map(([name]) => name),
  ]);
  const own = defaultsOf('services/separate').filter(([name]) => !documented.has(name));
  expect(rowsOf(configuration, 'Settings of npm run start:separate')).toEqual(own);
});

/** The rows of a section whose third cell names the part, or stands for it. */
function settingsWithPart(section: string, part: string): [name: string, value: string][] {
  const [, text = ''] = read(configuration).split(`\n## ${section}\n`);
  const [rows = ''] = text.split('\n## ');
  const groups = part === 'gateway' ? ['all', part] : ['all', 'services', part];
  return matches(rows, /^\| `([^`]+)` \| `?([^`|]*?)`? \| ([^|]*) \|/gm)
    .filter(([, , parts = '']) => parts.split(', ').some((named) => groups.includes(named)))
    .map(([name = '', value = '']) => [name, value]);
}

test('.env.example has the same settings with the same defaults', () => {
  const examples = matches(read('.env.example'), /^([A-Z][A-Z0-9_]*)=(.*)$/gm);
  const documented = documentedSettings.map(([name, value]) => [name, value === 'unset' ? '' : value]);
  expect(examples.toSorted()).toEqual(documented.toSorted());
});

test('docs/errors.md lists exactly the codes of libs/errors, in their order', () => {
  expect(rowsOf('docs/errors.md', 'Codes').map(([code]) => code)).toEqual([...errorCodes]);
});

const pages = globSync('**/*.md', {
  cwd: root,
  exclude: (path) => /(^|\/)(node_modules|fixtures|dist|\.[^/.][^/]*)(\/|$)/.test(path),
});

test('the tour of README.md is for every POSIX shell and for any port of the service', () => {
  const blocks = matches(read('README.md'), /^```sh\n([\s\S]*?)^```$/gm).flat();
  expect(blocks.length).toBeGreaterThan(6);
  // Somebody types these into a shell: zsh takes `path` for PATH, and takes `#` for a word.
  expect(blocks.filter((block) => /\b(path|status|options)=|\S[ \t]+#\s/.test(block))).toEqual([]);
  expect(blocks.join('').match(/127\.0\.0\.1.*/g)).toEqual(['127.0.0.1:8080']);
  // What a later block would find there instead of the member's key.
  expect(blocks.join('').match(/^export TMS_KEY=/gm)).toHaveLength(1);
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
