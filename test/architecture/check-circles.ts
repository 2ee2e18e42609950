import { posix } from 'node:path';
import type { Finding } from './check-imports.ts';
import type { SourceTree } from './source-tree.ts';

/**
 * Finds the files that import each other in a circle, be it only for types, and those on a way between two circles. Only
 * relative imports are followed, because the import table leaves no way back between packages.
 */
export function checkCircles(tree: SourceTree): Finding[] {
  const files = tree.packages.flatMap((owner) => owner.files);
  let left = new Map(
    files.map(({ path, specifiers }) => [
      path,
      specifiers
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => posix.join(posix.dirname(path), specifier)),
    ]),
  );
  // A file is in no circle if none of the files left imports it, or if it imports none of them.
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    const imported = new Set([...left.values()].flat());
    const both = [...left]
      .filter(([path]) => imported.has(path))
      .map(([path, targets]): [string, string[]] => [path, targets.filter((target) => left.has(target))]);
    left = new Map(both.filter(([, targets]) => targets.length > 0));
  }
  return [...left].map(([file, targets]) => ({
    file,
    rule: 'circle',
    detail: `is imported by what it imports: ${targets.join(', ')}`,
  }));
}
