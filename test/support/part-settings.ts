import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runToEnd } from './run-program.ts';

const repository = join(import.meta.dirname, '..', '..');

/** Folder of each part's program, by the part's name. */
export const partFolders: Readonly<Record<string, string>> = {
  analytics: 'services/analytics',
  auth: 'services/auth',
  content: 'services/content',
  gateway: 'gateway',
  query: 'services/query',
};

/** Folders of all programs that the image can run; the one that starts the others is for a checkout. */
export function programFolders(): string[] {
  const programs = globSync(['gateway/main.ts', 'services/*/main.ts'], { cwd: repository });
  return programs.map(dirname).filter((folder) => folder !== 'services/separate');
}

/** Names of all settings that the program in a folder has. */
export function settingsOf(folder: string): string[] {
  const text = readFileSync(join(repository, folder, 'config.ts'), 'utf8');
  return [...text.matchAll(/^ {2}([A-Z][A-Z0-9_]*): /gm)].map(([, name = '']) => name);
}

/** Names of the settings without which the part does not start, by its own words. */
export async function requiredSettingsOf(part: string): Promise<string[]> {
  const program = join(partFolders[part] ?? '', 'main.ts');
  const { stderr } = await runToEnd(process.execPath, [program], { PATH: process.env.PATH ?? '' });
  const named = [...stderr.matchAll(/\b([A-Z][A-Z0-9_]*) must be set/g)].map(([, name = '']) => name);
  // Asked for in a sentence of its own, unless the gateway is told that it is alone.
  return part === 'gateway' ? [...named, 'REDIS_URL'] : named;
}

/** The setting that a variable gives, directly or as the name of a file. */
export function settingOf(variable: string): string {
  return variable.replace(/_FILE$/, '');
}
