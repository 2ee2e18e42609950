import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { type Origin, readManifest, stagePackage } from './stage.ts';
import { thirdPartyLicences } from './third-party-licences.ts';

/** Bundled CommonJS asks for modules of Node by `require`, which modules do not have. */
const requireBanner =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/** Half of zod are its messages in other languages, which are never shown. */
const englishOnly: Plugin = {
  name: 'english-only',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
      loader: 'js',
    }));
  },
};

/** The program asks for its version where there is no checkout. */
function knownBuild(version: string, { commit }: Origin): Plugin {
  const build = commit === undefined ? version : `${version}+${commit.slice(0, 12)}`;
  return {
    name: 'known-build',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]config[\\/]src[\\/]product-version\.ts$/ }, () => ({
        contents: `export const buildVersion = ${JSON.stringify(build)};`,
      }));
    },
  };
}

/**
 * Builds the command line client: the program with all that it needs, in chunks that are loaded when a command needs
 * them. Returns the folder to pack.
 */
export async function buildCliPackage(root: string, target: string, origin: Origin): Promise<string> {
  const source = join(root, 'libs', 'cli');
  stagePackage(
    { origin, root, source, target },
    {
      description:
        'tms, the command line of the Team Memory Service: folders in step, questions, administration.',
      bin: { tms: 'bin/tms.js' },
      files: ['bin', 'dist', 'CHANGELOG.md', 'THIRD-PARTY-LICENSES.txt'],
    },
  );
  const { metafile } = await build({
    entryPoints: [join(source, 'src', 'main.ts')],
    outdir: join(target, 'dist'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minify: true,
    keepNames: true,
    legalComments: 'none',
    banner: { js: requireBanner },
    plugins: [englishOnly, knownBuild(readManifest(source).version, origin)],
    // What it offers to Node asks for its parts by names that no bundler finds.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    absWorkingDir: root,
    metafile: true,
    logLevel: 'warning',
  });
  mkdirSync(join(target, 'bin'));
  const start = join(target, 'bin', 'tms.js');
  copyFileSync(join(source, 'package', 'tms.js'), start);
  chmodSync(start, 0o755);
  writeFileSync(
    join(target, 'THIRD-PARTY-LICENSES.txt'),
    thirdPartyLicences(root, Object.keys(metafile.inputs)),
  );
  return target;
}
