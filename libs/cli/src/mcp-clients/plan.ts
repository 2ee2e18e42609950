import { type EntryTarget, entryName, inputIdOf } from '@teammemory/vocabulary/mcp-entries.ts';
import { CliError } from '../cli-error.ts';
import { type EntryForm, entryFor, type KnownClient, saysTheSame, targetOfEntry } from './clients.ts';
import type { ConfigurationFile } from './configuration-file.ts';
import { type ConfigurationText, putEntry, readEntries, removeEntry } from './entries.ts';

/** What will be done to a configuration file. */
export interface Plan {
  change: 'added' | 'changed' | 'removed' | 'none';
  /** The name of the entry. */
  name: string;
  /** The text afterwards; undefined for no file. */
  text: string | undefined;
}

/**
 * Plans the entry of a target: an earlier one of the same target is replaced if it differs, and a name that another team
 * has is left to it. Throws CliError `bad_file`, and `name_taken` if there is no name left.
 */
export function planInstall(
  client: KnownClient,
  file: ConfigurationFile,
  target: EntryTarget,
  form: EntryForm,
): Plan {
  const content = contentOf(client, file);
  const entries = readEntries(content);
  const names = namesFor(target);
  const name =
    names.find((each) => isFor(entries[each], target, file)) ?? names.find((each) => !(each in entries));
  if (name === undefined) {
    throw new CliError(
      'name_taken',
      `${file.path} has other entries called ${names.join(' and ')}. Nothing was changed.`,
    );
  }
  const isThere = name in entries;
  const wanted = entryFor(client, target, { ...form, scope: file.scope, inputId: inputIdOf(name) });
  if (isThere && saysTheSame(entries[name], wanted.entry)) return { change: 'none', name, text: file.text };
  return { change: isThere ? 'changed' : 'added', name, text: putEntry(content, name, wanted) };
}

/**
 * Plans the removal of the entry of a target. A file that nothing but the installation has changed becomes what it was,
 * byte for byte. Throws CliError `bad_file`.
 */
export function planUninstall(
  client: KnownClient,
  file: ConfigurationFile,
  target: EntryTarget,
  program: EntryForm['program'],
): Plan {
  const content = contentOf(client, file);
  const entries = readEntries(content);
  const name = namesFor(target).find((each) => isFor(entries[each], target, file));
  if (name === undefined) return { change: 'none', name: entryName, text: file.text };
  const forms = client.httpEntry === undefined ? [false] : [true, false];
  const made = forms.map((http) =>
    entryFor(client, target, { scope: file.scope, http, program, inputId: inputIdOf(name) }),
  );
  const before = { ...content, text: file.backupText };
  // An earlier form of the entry is in the backup where the last installation changed it.
  const isMadeFromBackup =
    textOrNothing(() => JSON.stringify(readEntries(before)[name])) === undefined &&
    made.some((entry) => textOrNothing(() => putEntry(before, name, entry)) === file.text);
  const text = isMadeFromBackup ? file.backupText : removeEntry(content, name, inputIdOf(name));
  return { change: 'removed', name, text };
}

/** A backup may be anything. */
function textOrNothing(make: () => string | undefined): string | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof CliError) return undefined;
    throw error;
  }
}

function contentOf({ format }: KnownClient, { path, text }: ConfigurationFile): ConfigurationText {
  return { path, text, format };
}

function namesFor({ team }: EntryTarget): [string, string] {
  return [entryName, `${entryName}-${team}`];
}

function isFor(entry: unknown, { url, team }: EntryTarget, { scope }: ConfigurationFile): boolean {
  const found = targetOfEntry(entry);
  if (found === undefined) return false;
  if (found === 'folder') return scope === 'project';
  return found.url === url && found.team === team;
}
