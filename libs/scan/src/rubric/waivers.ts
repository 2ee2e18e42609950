import { handlePattern, isCalendarDay } from '@teammemory/vocabulary/formats.ts';
import { parse as parseYaml } from 'yaml';
import { ScanError } from '../scan-error.ts';
import { asObject } from './repository.ts';

/** The file with the settings of a scan, in the root. */
export const settingsFile = '.tms-scan.yml';
/** A few hundred members and waivers. More would take time to parse. */
const maxSettingsCharacters = 32_768;
const maxWaivers = 100;
const maxReasonCharacters = 300;
const maxMembers = 1_000;

/** A check that a team leaves out on purpose, for a time. */
export interface Waiver {
  check: string;
  /** A workspace; without it, all. */
  workspace?: string;
  reason: string;
  /** The last day on which it counts, YYYY-MM-DD in UTC. */
  until: string;
}

export interface ScanSettings {
  waivers: Waiver[];
  /** Handles of members by their addresses in commits, in lower case. */
  members: ReadonlyMap<string, string>;
}

/** Reads the settings of a scan. Throws ScanError `bad_settings` that says what is wrong. */
export function readSettings(text: string, checks: ReadonlySet<string>): ScanSettings {
  if (text.length > maxSettingsCharacters) throw bad(`has more than ${maxSettingsCharacters} characters`);
  let root: unknown;
  try {
    root = parseYaml(text, { maxAliasCount: 0 });
  } catch {
    throw bad('is not YAML, or uses aliases');
  }
  const { waivers = [], members = {}, ...others } = asObject(root ?? {});
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw bad(`has an unknown key ${JSON.stringify(unknown.slice(0, 64))}`);
  if (!Array.isArray(waivers) || waivers.length > maxWaivers)
    throw bad(`must have at most ${maxWaivers} waivers`);
  const addresses = Object.entries(asObject(members));
  if (addresses.length > maxMembers) throw bad(`must have at most ${maxMembers} members`);
  return {
    waivers: waivers.map((each, index) => waiverFrom(asObject(each), `waivers[${index}]`, checks)),
    members: new Map(
      addresses.map(([address, handle]) => {
        if (typeof handle === 'string' && handlePattern.test(handle)) return [address.toLowerCase(), handle];
        throw bad('must give each address the handle of a member');
      }),
    ),
  };
}

function waiverFrom(waiver: Record<string, unknown>, place: string, checks: ReadonlySet<string>): Waiver {
  const { check, workspace, reason, until } = waiver;
  if (typeof check !== 'string' || !checks.has(check)) throw bad(`${place}.check must be the id of a check`);
  if (typeof reason !== 'string' || reason.trim() === '' || reason.length > maxReasonCharacters) {
    throw bad(`${place}.reason must have 1 to ${maxReasonCharacters} characters`);
  }
  if (typeof until !== 'string' || !isCalendarDay(until))
    throw bad(`${place}.until must be a day, YYYY-MM-DD`);
  if (workspace === undefined) return { check, reason, until };
  if (typeof workspace !== 'string') throw bad(`${place}.workspace must be the folder of a workspace`);
  return { check, workspace, reason, until };
}

function bad(rule: string): ScanError {
  return new ScanError('bad_settings', `${settingsFile} ${rule}.`);
}
