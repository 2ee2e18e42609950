import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { testFiles } from './rules.ts';
import type { SourceTree } from './source-tree.ts';

/** A method of an interface, as vite's parser gives it. */
interface Member {
  type: string;
  key?: { name?: string };
  params?: { name?: string }[];
  /** Of a property: its type, which may be a function. */
  typeAnnotation?: { typeAnnotation?: { type: string; params?: { name?: string }[] } };
}

interface Statement {
  type: string;
  declaration?: Statement;
  id?: { name: string };
  body?: { body: Member[] };
}

/** A method of a store's interface and the name of its first parameter. */
export interface StoreMethod {
  /** As `Store.method`. */
  name: string;
  firstParameter: string | undefined;
}

const domain = /^services\/[^/]+\/domain\//;

/** Returns every method of the exported interfaces of domains whose name ends in `Store`. */
export function storeMethods(tree: SourceTree): StoreMethod[] {
  return tree.packages
    .flatMap(({ files }) => files)
    .filter(({ path }) => domain.test(path) && !testFiles.files.test(path))
    .flatMap(({ path }) => storeMethodsOf(path, readFileSync(join(tree.root, path), 'utf8')));
}

/** Returns the methods of the stores of one source file. */
export function storeMethodsOf(path: string, text: string): StoreMethod[] {
  const statements = parseSync(path, text).program.body as unknown as Statement[];
  return statements
    .flatMap(({ type, declaration }) =>
      type === 'ExportNamedDeclaration' && declaration?.type === 'TSInterfaceDeclaration'
        ? [declaration]
        : [],
    )
    .filter(({ id }) => id?.name.endsWith('Store'))
    .flatMap(({ id, body }) =>
      (body?.body ?? []).flatMap((member) => {
        const params = parametersOf(member);
        if (params === undefined) return [];
        return [{ name: `${id?.name}.${member.key?.name}`, firstParameter: params[0]?.name }];
      }),
    );
}

function parametersOf({ type, params, typeAnnotation }: Member): { name?: string }[] | undefined {
  if (type === 'TSMethodSignature') return params;
  const annotation = typeAnnotation?.typeAnnotation;
  return annotation?.type === 'TSFunctionType' ? annotation.params : undefined;
}
