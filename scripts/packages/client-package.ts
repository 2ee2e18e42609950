import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.ts';
import { type Origin, readManifest, stagePackage } from './stage.ts';

/**
 * Builds the SDK: one module a file, as TypeScript writes them, without the clients for RPC. It is compiled without
 * the types of Node, so what browsers lack does not compile. Returns the folder to pack.
 */
export async function buildClientPackage(root: string, target: string, origin: Origin): Promise<string> {
  const source = join(root, 'libs', 'client');
  const { dependencies } = readManifest(source);
  stagePackage(
    { origin, root, source, target },
    {
      description: 'Client of the Team Memory Service: push, pull, follow and ask. Needs only fetch.',
      exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
      sideEffects: false,
      // `require` loads a module from these versions on.
      engines: { node: '^20.19.0 || >=22.12.0' },
      files: ['dist', 'CHANGELOG.md'],
      dependencies: { zod: `^${dependencies.zod}` },
    },
  );
  const built = join(target, 'dist');
  const compiler = join(root, 'node_modules', '.bin', 'tsc');
  await run(compiler, ['-p', join(source, 'tsconfig.package.json'), '--outDir', built], root);
  // The compiler rewrites the imports of modules, but not those of declarations.
  for (const name of readdirSync(built).filter((file) => file.endsWith('.d.ts'))) {
    const file = join(built, name);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/(from '\.\/[^']+)\.ts'/g, "$1.js'"));
  }
  return target;
}
