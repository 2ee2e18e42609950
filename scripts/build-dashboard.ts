// Builds the dashboard into gateway/dashboard/dist when its sources have changed since the last build; silent otherwise.
// `--check` also prints what the first view loads. The files are compressed here once, so that the gateway only sends them;
// of assets only that is kept.
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');
const dashboard = join(root, 'gateway', 'dashboard');
const output = join(dashboard, 'dist');
/** Holds the digest of the sources that the build was made from. */
const record = join(output, '.sources');
/** Everything that goes into a build. */
const sources = [
  'gateway/dashboard/src/**/*.{ts,tsx,css}',
  'gateway/dashboard/public/*',
  'gateway/dashboard/index.html',
  'libs/proto/gen/teammemory/**/*.ts',
  'libs/sync/src/{format,plan}/*.ts',
  'libs/vocabulary/src/**/*.ts',
  'package.json',
  'package-lock.json',
  'scripts/build-dashboard.ts',
];
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const compressible = /\.(?:html|js|css)$/;

function digestOfSources(): string {
  const digest = createHash('sha256');
  for (const file of globSync(sources, { cwd: root }).sort()) {
    digest
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  }
  return digest.digest('hex');
}

async function buildDashboard(): Promise<void> {
  await build({
    configFile: false,
    root: dashboard,
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    define: { SERVICE_VERSION: JSON.stringify(version) },
    css: { modules: { localsConvention: 'camelCaseOnly' } },
    build: {
      outDir: output,
      emptyOutDir: true,
      target: 'es2023',
      // The page may load nothing but files of its own origin, and `data:` addresses are none.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      manifest: 'manifest.json',
      reportCompressedSize: false,
      // On a busy machine every build takes long, and advice about it is for whoever writes plugins.
      rolldownOptions: { checks: { pluginTimings: false } },
    },
  });
  for (const file of globSync('**/*', { cwd: output })) {
    if (!compressible.test(file)) continue;
    const content = readFileSync(join(output, file));
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
    writeFileSync(join(output, `${file}.br`), brotliCompressSync(content, quality));
    writeFileSync(join(output, `${file}.gz`), gzipSync(content, { level: 9 }));
    if (file.startsWith('assets')) rmSync(join(output, file));
  }
}

const digest = digestOfSources();
if (!existsSync(record) || readFileSync(record, 'utf8') !== digest) {
  const startedMs = performance.now();
  process.stdout.write('Building the dashboard, because its sources are new. ');
  rmSync(output, { recursive: true, force: true });
  await buildDashboard();
  mkdirSync(output, { recursive: true });
  writeFileSync(record, digest);
  process.stdout.write(`It took ${((performance.now() - startedMs) / 1000).toFixed(1)} s.\n`);
}
