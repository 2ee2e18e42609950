import type { BuildOptions, Plugin } from 'esbuild';
import type { Origin } from './stage.ts';

/** Bundled CommonJS asks for modules of Node by `require`, which modules do not have. */
const requireBanner =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/** Parts of packages that our programs load and never use, and what takes their place. */
const unusedParts: [file: RegExp, contents: string][] = [
  // Half of zod are its messages in other languages, which are never shown.
  [/[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/, "export { default as en } from './en.js';"],
  // The MongoDB driver reads addresses with it as Node's own URL does.
  [/[\\/]whatwg-url[\\/]index\.js$/, 'module.exports = { URL, URLSearchParams };'],
  // @fastify/static lists folders with it where it may not look a file up when it is asked for.
  [/[\\/]glob[\\/]dist[\\/]commonjs[\\/]index\.min\.js$/, 'module.exports = {};'],
  // Tests call Fastify's routes with it.
  [/[\\/]light-my-request[\\/]index\.js$/, 'module.exports = {};'],
  // No route has a schema of Fastify's, as gateway/http-server.ts says.
  [/[\\/]@fastify[\\/](?:ajv|fast-json-stringify)-compiler[\\/]index\.js$/, 'module.exports = {};'],
  // MCP's servers check with it what they ask people for, which ours do not.
  [
    /[\\/]@modelcontextprotocol[\\/]server[\\/]dist[\\/]shimsNode\.mjs$/,
    "export class DefaultJsonSchemaValidator {} export { default as process } from 'node:process';",
  ],
];

const withoutUnusedParts: Plugin = {
  name: 'without-unused-parts',
  setup({ onLoad }) {
    for (const [filter, contents] of unusedParts) onLoad({ filter }, () => ({ contents, loader: 'js' }));
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
    // One character beyond Latin-1 would double the memory of a whole chunk's text.
    charset: 'ascii',
    keepNames: true,
    legalComments: 'none',
    banner: { js: requireBanner },
    plugins: [withoutUnusedParts, ...plugins],
    // What it offers to Node asks for its parts by names that no bundler finds.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    absWorkingDir: root,
    metafile: true,
    logLevel: 'warning',
  } as const satisfies BuildOptions;
}
