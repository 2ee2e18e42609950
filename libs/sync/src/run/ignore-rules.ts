import ignore, { type Ignore } from 'ignore';

/** Hidden files, hidden folders and what tools bring along; a line such as `!.notes/` in `.tmsignore` names one anyway. */
const builtIn = ['.*', 'node_modules/'];
/** Files with ignore rules, the later overruling the earlier. */
export const ignoreFileNames: readonly string[] = ['.gitignore', '.tmsignore'];

interface FolderRules {
  /** Path of the folder with a slash at its end; empty for the root. */
  prefix: string;
  rules: Ignore;
}

/** The rules that hold in a folder: its own and those of the folders above it, up to the root of the workspace. */
export interface IgnoreRules {
  /** Whether a path, relative to the root, is left out. Folders end in a slash. */
  ignores(path: string): boolean;
  /** Adds the rules of a folder below, given as the text of its ignore files. */
  below(folder: string, texts: readonly string[]): IgnoreRules;
}

/** The rules before any ignore file was read. */
export function builtInRules(): IgnoreRules {
  return rulesOf([{ prefix: '', rules: ignore().add(builtIn) }]);
}

function rulesOf(folders: readonly FolderRules[]): IgnoreRules {
  return {
    ignores: (path) => {
      // As in git, the nearest folder with an opinion decides.
      for (const { prefix, rules } of folders.toReversed()) {
        const verdict = rules.test(path.slice(prefix.length));
        if (verdict.unignored) return false;
        if (verdict.ignored) return true;
      }
      return false;
    },
    below: (folder, texts) => {
      if (texts.length === 0) return rulesOf(folders);
      // In one list with the rules of the root, so that these can take back what is built in.
      if (folder === '')
        return rulesOf([{ prefix: '', rules: ignore().add([...builtIn, texts.join('\n')].join('\n')) }]);
      const prefix = `${folder}/`;
      return rulesOf([...folders, { prefix, rules: ignore().add(texts.join('\n')) }]);
    },
  };
}
