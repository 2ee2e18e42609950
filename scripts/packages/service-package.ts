import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { serialize } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { brotliCompressSync } from 'node:zlib';
import { build, type Plugin } from 'esbuild';
import { bundling, knownBuild } from './bundling.ts';
import { run } from './run.ts';
import { type Origin, readManifest, stagePackage } from './stage.ts';
import { thirdPartyLicences } from './third-party-licences.ts';

/** Programs of the package, and threads that they start: the name in `dist/`, and where its source is. */
const programs = {
  main: 'libs/cli/src/main.ts',
  service: 'libs/cli/src/service-program/main.ts',
  all: 'services/all/run.ts',
  gateway: 'gateway/main.ts',
  content: 'services/content/main.ts',
  auth: 'services/auth/main.ts',
  analytics: 'services/analytics/main.ts',
  query: 'services/query/main.ts',
  'render-docs': 'scripts/packages/rendered-docs.ts',
  'task-thread': 'services/content/task-thread/task-thread.ts',
  'index-thread': 'services/query/search-index/main.ts',
};

/** The thread that lays out the page of GET /docs. In the package one takes its place that has the page. */
const docsThread = 'gateway/public/render-docs.ts';

/** Files that the programs read; in the package they stand where they stand in the repository. */
const readFiles = [
  'libs/admission/src/rolling-window.lua',
  'services/query/domain/text/language-words.br',
  'services/query/domain/words/thesaurus.br',
  'gateway/dashboard/dist',
];

/**
 * Modules find their files and threads beside themselves. In the package the modules are in chunks of `dist/`, so those
 * addresses are computed from the folder of the package; a thread is one of its programs.
 */
function filesFromPackage(root: string): Plugin {
  const outputOf = new Map(
    Object.entries({ ...programs, 'render-docs': docsThread }).map(([name, source]) => [
      source,
      `dist/${name}.js`,
    ]),
  );
  const inPackage = (path: string) => `new URL(${JSON.stringify(`../${path}`)}, import.meta.url)`;
  return {
    name: 'files-from-package',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/](gateway|services|libs[\\/]admission)[\\/].*\.ts$/ }, ({ path }) => {
        const source = relative(root, path).replaceAll('\\', '/');
        if (source.includes('node_modules')) return undefined;
        const text = readFileSync(path, 'utf8');
        if (!text.includes('import.meta.url')) return undefined;
        const contents = text.replace(
          /new URL\(('[^']*'|name), import\.meta\.url\)/g,
          (_whole, named: string) => {
            if (named === 'name') return `new URL(name, ${inPackage(source)})`;
            const target = join(dirname(source), named.slice(1, -1)).replaceAll('\\', '/');
            return inPackage(outputOf.get(target) ?? target);
          },
        );
        return { contents, loader: 'ts' };
      });
    },
  };
}

/**
 * Builds the whole service with `tms` as one package without dependencies. Its programs are in chunks, which are loaded
 * when a program needs them. Returns the folder to pack.
 */
export async function buildServicePackage(root: string, target: string, origin: Origin): Promise<string> {
  const { version } = readManifest(root);
  stagePackage(
    {
      origin,
      root,
      source: join(root, 'services', 'all'),
      changelog: join(root, 'CHANGELOG.md'),
      target,
    },
    {
      name: 'team-memory-service',
      description: 'A self-hosted, shared team memory: push, pull and ask over Markdown, with cited answers.',
      bin: { 'team-memory-service': 'bin/team-memory-service.js', tms: 'bin/tms.js' },
      engines: { node: '>=24' },
    },
  );
  const { metafile } = await build({
    entryPoints: Object.entries(programs).map(([out, source]) => ({ in: join(root, source), out })),
    outdir: join(target, 'dist'),
    target: 'node24',
    ...bundling(root, [knownBuild(version, origin), filesFromPackage(root)]),
    inject: [join(import.meta.dirname, 'map-get-or-insert.ts')],
    // What the MongoDB driver can do without.
    external: [
      'kerberos',
      '@mongodb-js/zstd',
      '@aws-sdk/credential-providers',
      'gcp-metadata',
      'snappy',
      'socks',
      'aws4',
      'mongodb-client-encryption',
    ],
  });
  for (const path of globSync('dist/*.js', { cwd: target })) escapeNonAscii(join(target, path));
  for (const path of readFiles) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    cpSync(join(root, path), join(target, path), { recursive: true });
  }
  // Tells the build what became of its sources.
  rmSync(join(target, 'gateway', 'dashboard', 'dist', 'manifest.json'));
  writeFileSync(join(target, 'dist', 'docs-page.br'), await renderedDocs(root));
  // The demo team gets these pages.
  for (const path of globSync('docs/**/*.md', { cwd: root })) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    copyFileSync(join(root, path), join(target, path));
  }
  mkdirSync(join(target, 'bin'));
  for (const program of ['team-memory-service.js', 'tms.js']) {
    const start = join(target, 'bin', program);
    copyFileSync(join(root, 'libs', 'cli', 'package', program), start);
    chmodSync(start, 0o755);
  }
  writeFileSync(
    join(target, 'THIRD-PARTY-LICENSES.txt'),
    thirdPartyLicences(root, [...Object.keys(metafile.inputs), ...(await filesOfPages(root))]),
  );
  return target;
}

/** Escapes what esbuild leaves: one character beyond Latin-1, in a regular expression, doubles the memory of a chunk's text. */
function escapeNonAscii(path: string): void {
  const escaped = readFileSync(path, 'utf8').replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  writeFileSync(path, escaped);
}

/** Lays out the page of GET /docs, whose script has 4 MB, once for all who install the package. */
async function renderedDocs(root: string): Promise<Buffer> {
  const workerData = { documentPath: '/api/v1/openapi.json', scriptPath: '/docs/scalar.js' };
  const worker = new Worker(join(root, docsThread), { workerData });
  const [page] = await once(worker, 'message', { signal: AbortSignal.timeout(60_000) });
  return brotliCompressSync(serialize(page));
}

/** Returns the files of the packages that the dashboard and the page of GET /docs are made of, relative to the root. */
async function filesOfPages(root: string): Promise<string[]> {
  const list = ['ls', '--all', '--parseable', '--omit=dev', '--workspace=gateway/dashboard'];
  const folders = (await run('npm', list, root))
    .split('\n')
    .map((folder) => relative(root, folder))
    .filter((folder) => folder.includes('node_modules') && !folder.includes('@teammemory'));
  folders.push('node_modules/@scalar/fastify-api-reference');
  return globSync(
    folders.map((folder) => `${folder}/{*,dist/**/*}.{js,mjs}`),
    { cwd: root },
  );
}
