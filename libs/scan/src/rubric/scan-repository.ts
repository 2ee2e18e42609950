import { type Check, type Outcome, type Pillar, pillars } from './check.ts';
import { instructionChecks } from './instructions.ts';
import { describeUnit, type Kind, type Unit } from './kinds.ts';
import { Repository, type RepositoryFacts } from './repository.ts';
import { startUpChecks } from './start-up.ts';
import { surroundingChecks } from './surroundings.ts';
import { verificationChecks } from './verification.ts';
import { readSettings, type ScanSettings, settingsFile, type Waiver } from './waivers.ts';
import { filesByWorkspace, findWorkspaces } from './workspaces.ts';

/** Rises with every change that may change a result. */
export const rubricVersion = '1.1';

/** All checks, in their order. */
export const rubric: readonly Check[] = [
  ...verificationChecks,
  ...startUpChecks,
  ...instructionChecks,
  ...surroundingChecks,
];

const levels = ['L0', 'L1', 'L2', 'L3', 'L4', 'L5'] as const;
export type Level = (typeof levels)[number];
/** The least percentage of L1 to L5. */
const thresholds = [20, 40, 60, 75, 90];
/** Without these the level ends, whatever the percentage: what says nothing about itself, or verifies nothing, is not ready. */
const gates: readonly { check: string; highest: number }[] = [
  { check: 'readme', highest: 1 },
  { check: 'test-command', highest: 2 },
  { check: 'tests-in-ci', highest: 3 },
];

/** The result of a check for the repository or for one of its workspaces. */
export interface Finding extends Omit<Outcome, 'status'> {
  check: string;
  pillar: Pillar;
  /** The folder of the workspace; absent for the repository. */
  workspace?: string;
  status: Outcome['status'] | 'waived';
  /** Share in the percentage that it decides, of 100. 0 unless it passed or failed. */
  points: number;
  /** If it is waived. */
  waiver?: Waiver;
}

export interface Standing {
  level: Level;
  /** 0 to 100, one decimal. */
  percentage: number;
  /** Checks that passed, of those that passed or failed. */
  pillars: Record<Pillar, { passed: number; total: number }>;
}

export interface ScannedWorkspace extends Pick<Standing, 'level' | 'percentage'> {
  folder: string;
  kind: Kind;
}

export interface RepositoryScan extends Standing {
  kind: Kind;
  rubric_version: string;
  workspaces: ScannedWorkspace[];
  findings: Finding[];
  /** Waivers that have ended, or fit nothing. They do not count. */
  unused_waivers: Waiver[];
  settings: ScanSettings;
}

/**
 * Judges a repository by what is known of it. `today` is YYYY-MM-DD in UTC. Throws ScanError `bad_settings`.
 */
export function scanRepository(facts: RepositoryFacts, today: string): RepositoryScan {
  const repository = new Repository(facts);
  const settings = readSettings(repository.text(settingsFile) ?? '', new Set(rubric.map(({ id }) => id)));
  const folders = findWorkspaces(repository);
  const files = filesByWorkspace(repository.paths, folders);
  const root = describeUnit(repository, '', repository.paths);
  const units = folders.map((folder) => describeUnit(repository, folder, files.get(folder) ?? []));
  // A root that has code of its own beside its workspaces is one of the places that are judged.
  const rest = describeUnit(repository, '', files.get('') ?? []);
  const places = units.length === 0 ? [root] : rest.kind === 'documentation' ? units : [rest, ...units];
  const kind = units.length > 0 ? 'monorepo' : root.kind;

  const used = new Set<Waiver>();
  const find = (check: Check, unit: Unit) => findingOf(check, unit, settings.waivers, today, used);
  const findings = rubric.flatMap((check) =>
    check.scope === 'repository' ? [find(check, root)] : places.map((unit) => find(check, unit)),
  );
  const byCheck = groupedBy(findings, ({ check }) => check);
  for (const check of rubric) shareOut(check.weight, byCheck.get(check.id) ?? []);
  const shared = findings.filter(({ workspace }) => workspace === undefined);
  const byWorkspace = groupedBy(findings, ({ workspace = '' }) => workspace);
  return {
    kind,
    rubric_version: rubricVersion,
    ...standingOf(findings),
    workspaces: units.map(({ folder, kind: own }) => {
      const mine = [...shared.filter(isForAll), ...(byWorkspace.get(folder) ?? [])];
      const { level, percentage } = standingOf(mine);
      return { folder, kind: own, level, percentage };
    }),
    findings,
    unused_waivers: settings.waivers.filter((waiver) => !used.has(waiver)),
    settings,
  };
}

function isForAll({ check }: Finding): boolean {
  return rubric.some(({ id, scope }) => id === check && scope === 'repository');
}

function findingOf(
  check: Check,
  unit: Unit,
  waivers: readonly Waiver[],
  today: string,
  used: Set<Waiver>,
): Finding {
  const outcome: Outcome = check.notFor.includes(unit.kind)
    ? { status: 'does_not_apply', reason: `It says nothing about ${kindNames[unit.kind]}.` }
    : check.run(unit);
  const finding: Finding = { check: check.id, pillar: check.pillar, points: 0, ...outcome };
  if (unit.folder !== '') finding.workspace = unit.folder;
  const waiver = waivers.find(
    (each) =>
      each.check === check.id &&
      each.until >= today &&
      (each.workspace === undefined || each.workspace === unit.folder),
  );
  if (waiver !== undefined && finding.status !== 'does_not_apply') {
    used.add(waiver);
    if (finding.status !== 'pass') {
      finding.status = 'waived';
      finding.waiver = waiver;
    }
  }
  return finding;
}

/** The places that a check is about share its weight. */
function shareOut(weight: number, findings: readonly Finding[]): void {
  const counted = findings.filter(({ status }) => status === 'pass' || status === 'fail');
  for (const finding of counted) finding.points = weight / counted.length;
}

function standingOf(findings: readonly Finding[]): Standing {
  const standing = emptyPillars();
  let earned = 0;
  let possible = 0;
  const weights = new Map(rubric.map(({ id, weight }) => [id, weight]));
  for (const [check, places] of groupedBy(findings, (each) => each.check)) {
    const passed = places.filter(({ status }) => status === 'pass').length;
    const total = passed + places.filter(({ status }) => status === 'fail').length;
    const [first] = places;
    if (first === undefined || total === 0) continue;
    standing[first.pillar].passed += passed;
    standing[first.pillar].total += total;
    const weight = weights.get(check) ?? 0;
    earned += (weight * passed) / total;
    possible += weight;
  }
  const percentage = possible === 0 ? 0 : Math.round((1000 * earned) / possible) / 10;
  const reached = thresholds.filter((least) => percentage >= least).length;
  const held = gates
    .filter(({ check }) => findings.some((each) => each.check === check && each.status === 'fail'))
    .map(({ highest }) => highest);
  return { level: levels[Math.min(reached, ...held)] ?? 'L0', percentage, pillars: standing };
}

/** Node 20 has no Map.groupBy. */
function groupedBy(
  findings: readonly Finding[],
  keyOf: (finding: Finding) => string,
): Map<string, Finding[]> {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = keyOf(finding);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  return groups;
}

function emptyPillars(): Standing['pillars'] {
  const names = Object.keys(pillars) as Pillar[];
  return Object.fromEntries(names.map((name) => [name, { passed: 0, total: 0 }])) as Standing['pillars'];
}

const kindNames: Record<Kind, string> = {
  library: 'libraries',
  service: 'services',
  application: 'applications',
  tests_only: 'repositories of tests only',
  documentation: 'documentation',
  monorepo: 'monorepos',
};
