import { parse as parseToml } from 'smol-toml';

/** What is known of a repository: the names of its tracked files, and the texts of those that a check reads. */
export interface RepositoryFacts {
  /** Paths from the root, with `/`. */
  paths: readonly string[];
  /** Texts by path. A file that could not be read has none. */
  texts: ReadonlyMap<string, string>;
  /** Files of which only the beginning was read. */
  cut: ReadonlySet<string>;
}

/** Looks into the facts of a repository. What a file says is parsed once. */
export class Repository {
  readonly paths: readonly string[];
  /** Those that are in no folder, or in `config`, where many keep the settings of tools. */
  readonly rootPaths: readonly string[];
  readonly #known: ReadonlySet<string>;
  readonly #folders = new Set<string>();
  readonly #facts: RepositoryFacts;
  readonly #objects = new Map<string, unknown>();
  readonly #matches = new Map<RegExp, string | undefined>();

  constructor(facts: RepositoryFacts) {
    this.#facts = facts;
    this.paths = facts.paths;
    this.rootPaths = facts.paths.filter((path) => !path.includes('/') || path.startsWith('config/'));
    this.#known = new Set(facts.paths);
    for (const path of facts.paths) {
      for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
        const folder = path.slice(0, at);
        if (this.#folders.has(folder)) break;
        this.#folders.add(folder);
      }
    }
  }

  has(path: string): boolean {
    return this.#known.has(path);
  }

  /** The first path that fits. Every pattern is looked for once. */
  first(pattern: RegExp): string | undefined {
    if (!this.#matches.has(pattern)) {
      this.#matches.set(
        pattern,
        this.paths.find((path) => pattern.test(path)),
      );
    }
    return this.#matches.get(pattern);
  }

  hasFolder(path: string): boolean {
    return path === '' || this.#folders.has(path);
  }

  /** The text of a file; undefined if it was not read. */
  text(path: string): string | undefined {
    return this.#facts.texts.get(path);
  }

  /** Whether a tracked file may say more than is known of it. */
  isUncertain(path: string): boolean {
    return this.has(path) && (!this.#facts.texts.has(path) || this.#facts.cut.has(path));
  }

  /** Every text that was read and whose path fits. */
  textsOf(pattern: RegExp): [path: string, text: string][] {
    return [...this.#facts.texts].filter(([path]) => pattern.test(path));
  }

  /** The object that a JSON or TOML file holds; empty if it holds none. */
  object(path: string): Record<string, unknown> {
    if (!this.#objects.has(path)) this.#objects.set(path, parsed(path, this.text(path) ?? ''));
    return asObject(this.#objects.get(path));
  }
}

function parsed(path: string, text: string): unknown {
  try {
    return path.endsWith('.toml') ? parseToml(text) : JSON.parse(text);
  } catch {
    // Whatever a repository holds there, it is not what a check looks for.
    return undefined;
  }
}

/** Returns a value if it is an object, and otherwise an empty one. */
export function asObject(value: unknown): Record<string, unknown> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : {};
}

/** Returns the texts in a list, and none if it is no list. */
export function asTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** Joins a folder, '' for the root, and a name. */
export function below(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** The part of a path behind its last `/`. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The folder of a path; '' for the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
