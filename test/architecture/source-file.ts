import { parseSync } from 'vite';

/** What the rules want to know of one source file. */
export interface SourceFile {
  /** Relative to the root of the tree, with `/`. */
  path: string;
  /** Module specifiers of its imports, exports-from, dynamic imports and type imports, each once. */
  specifiers: string[];
  /** Whether it imports a module whose name is only known when it runs. */
  importsComputed: boolean;
  readsEnvironment: boolean;
  /** Whether it spreads an object literal into another, `...{ a, b }`, where no unknown member is found. */
  spreadsLiteral: boolean;
  /** Handlers, `xHandler` or what a `routes.ts` exports, that do not take one destructured object of dependencies. */
  oddHandlers: string[];
  /** Functions of more than a hundred lines that keep state: `let`, or what they make with `new`. */
  longClosures: string[];
}

/** Lines of a function that keeps state; a longer one is a class with a list of fields, or two things. */
const maxClosureLines = 100;

/** A node of the ESTree that vite's parser gives for TypeScript. */
interface Node {
  type: string;
  [property: string]: unknown;
}

const importingTypes = new Set([
  'ImportDeclaration',
  'ExportAllDeclaration',
  'ExportNamedDeclaration',
  'ImportExpression',
  'TSImportType',
]);

/**
 * Reads a source file with a real parser, so that neither a comment nor a string can hide or fake an import.
 *
 * @throws Error when it is no valid TypeScript.
 */
export function parseSourceFile(path: string, text: string): SourceFile {
  const { program, errors } = parseSync(path, text);
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  const nodes = allNodes(program);
  const sources = nodes
    .filter(({ type, source }) => importingTypes.has(type) && source !== null && source !== undefined)
    .map(({ source }) => (source as Node).value);
  return {
    path,
    specifiers: [...new Set(sources.filter((source) => typeof source === 'string'))],
    importsComputed: sources.some((source) => typeof source !== 'string'),
    readsEnvironment: nodes.some(readsEnvironment),
    spreadsLiteral: nodes.some(
      ({ type, argument }) => type === 'SpreadElement' && (argument as Node).type === 'ObjectExpression',
    ),
    oddHandlers: nodes.flatMap(({ type, declaration }) =>
      type === 'ExportNamedDeclaration' ? oddHandler(path, declaration as Node | null) : [],
    ),
    longClosures: nodes.filter((node) => isLongClosure(node, text)).map(({ id }) => nameOf(id)),
  };
}

function isLongClosure({ type, start, end, body }: Node, text: string): boolean {
  if (!type.includes('Function') || (body as Node | null)?.type !== 'BlockStatement') return false;
  if (text.slice(Number(start), Number(end)).split('\n').length <= maxClosureLines) return false;
  return ((body as Node).body as Node[]).some(
    ({ type: statement, kind, declarations }) =>
      statement === 'VariableDeclaration' &&
      (kind === 'let' ||
        (declarations as Node[]).some(({ init }) => (init as Node | null)?.type === 'NewExpression')),
  );
}

function nameOf(id: unknown): string {
  return (id as { name?: string } | null)?.name ?? 'a function without a name';
}

function oddHandler(path: string, declared: Node | null): string[] {
  if (declared?.type !== 'FunctionDeclaration') return [];
  const { name } = declared.id as { name: string };
  const isHandler = /^gateway\/.*\/routes.ts$/.test(path)
    ? !name.endsWith('Routes')
    : name.endsWith('Handler');
  const [first, ...more] = declared.params as Node[];
  return isHandler && (first?.type !== 'ObjectPattern' || more.length > 0) ? [name] : [];
}

function allNodes(program: unknown): Node[] {
  const nodes: Node[] = [];
  const left: unknown[] = [program];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null) continue;
    if ('type' in value && typeof value.type === 'string') nodes.push(value as Node);
    left.push(...Object.values(value));
  }
  return nodes;
}

/** `process.env`, `const { env } = process` and `import { env } from 'node:process'`. */
function readsEnvironment(node: Node): boolean {
  const isProcess = (value: unknown) => (value as Node | null)?.name === 'process';
  if (node.type === 'MemberExpression') {
    const property = node.property as Node;
    return isProcess(node.object) && (property.name === 'env' || property.value === 'env');
  }
  if (node.type === 'VariableDeclarator') {
    return isProcess(node.init) && (node.id as Node).type === 'ObjectPattern';
  }
  return node.type === 'ImportDeclaration' && /^(node:)?process$/.test(String((node.source as Node).value));
}
