import type { BuildOptions, Plugin } from 'esbuild';
import type { Origin } from './stage.ts';

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

/** Programs ask for their version where there is no checkout. */
export function knownBuild(version: string, { commit }: Origin): Plugin {
  const build = commit === undefined ? version : `${version}+${commit.slice(0, 12)}`;
  return {
    name: 'known-build',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]config[\\/]src[\\/]product-version\.ts$/ }, () => ({
        contents: `export const productVersion = ${JSON.stringify(version)}, buildVersion = ${JSON.stringify(build)};`,
      }));
    },
  };
}

/** What all bundles have in common: programs in chunks, which are loaded when they are needed. */
export function bundling(root: string, plugins: Plugin[]) {
  return {
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    minify: true,
    charset: 'utf8',
    keepNames: true,
    legalComments: 'none',
    banner: { js: requireBanner },
    plugins: [englishOnly, ...plugins],
    // What it offers to Node asks for its parts by names that no bundler finds.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    absWorkingDir: root,
    metafile: true,
    logLevel: 'warning',
  } as const satisfies BuildOptions;
}
