import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ways = [
  // const { first, second: here } = await import('./chunk.js')
  /\{(?<names>[^{}]*)\}=await import\("\.\/(?<chunk>[^"]+)"\)/g,
  // (await import('./chunk.js')).name
  /\(await import\("\.\/(?<chunk>[^"]+)"\)\)\.(?<names>[\w$]+)/g,
];

/**
 * Looks at each import in the bundled modules of a folder that is made when it is needed. Returns how many names are
 * taken from such imports, and those that the imported module does not export.
 */
export async function lazilyImportedNames(folder: string): Promise<{ asked: number; missing: string[] }> {
  const modules = new Map<string, string>();
  for (const file of await readdir(folder))
    if (file.endsWith('.js')) modules.set(file, await readFile(join(folder, file), 'utf8'));
  const missing: string[] = [];
  let asked = 0;
  for (const text of modules.values()) {
    for (const { groups } of ways.flatMap((way) => [...text.matchAll(way)])) {
      const exported = exportsOf(modules.get(groups?.chunk ?? '') ?? '');
      const names = (groups?.names ?? '').split(',').map((each) => each.split(':')[0] ?? each);
      asked += names.length;
      missing.push(...names.filter((each) => !exported.has(each)).map((each) => `${groups?.chunk}: ${each}`));
    }
  }
  return { asked, missing };
}

/** Of a CommonJS module a bundle exports `default` alone. */
function exportsOf(text: string): Set<string> {
  const lists = [...text.matchAll(/export\{([^}]*)\}/g)].flatMap(([, list = '']) => list.split(','));
  const names = lists.map((each) => each.split(' as ').at(-1) ?? each);
  return new Set(text.includes('export default ') ? [...names, 'default'] : names);
}
