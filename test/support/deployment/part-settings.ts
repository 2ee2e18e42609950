/// <reference types="vite/types/importMeta.d.ts" />
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runToEnd } from '../service/run-program.ts';

const repository = join(import.meta.dirname, '..', '..', '..');

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

/** Five programs are loaded at the same time, without what Node has compiled before; a loaded machine takes a minute. */
const loadTimeoutMs = 120_000;

/** What is used here of a zod type. */
interface SettingType {
  safeParse(given: undefined): { success: boolean; data?: unknown };
}

const configs = import.meta.glob<{ schema: { shape: Record<string, SettingType> } }>(
  ['../../../gateway/config.ts', '../../../services/*/config.ts'],
  { eager: true },
);

/** Each setting of the program in a folder, and its default as tables write it: `unset` or `required` where there is none. */
export function defaultsOf(folder: string): [name: string, value: string][] {
  return Object.entries(configs[`../../../${folder}/config.ts`]?.schema.shape ?? {}).map(([name, type]) => {
    const { success, data = 'unset' } = type.safeParse(undefined);
    return [name, success ? String(data) : 'required'];
  });
}

/** Names of all settings that the program in a folder has. */
export function settingsOf(folder: string): string[] {
  return defaultsOf(folder).map(([name]) => name);
}

/** Names of the settings without which the part does not start, by its own words. */
export async function requiredSettingsOf(part: string): Promise<string[]> {
  const program = join(partFolders[part] ?? '', 'main.ts');
  const environment = { PATH: process.env.PATH ?? '' };
  const { stderr } = await runToEnd(process.execPath, [program], environment, loadTimeoutMs);
  const named = [...stderr.matchAll(/\b([A-Z][A-Z0-9_]*) must be set/g)].map(([, name = '']) => name);
  // Asked for in a sentence of its own, unless the gateway is told that it is alone.
  return part === 'gateway' ? [...named, 'REDIS_URL'] : named;
}

/** The setting that a variable gives, directly or as the name of a file. */
export function settingOf(variable: string): string {
  return variable.replace(/_FILE$/, '');
}
