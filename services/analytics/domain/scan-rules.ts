import { checkCodebase } from './codebases.ts';
import {
  createFaults,
  type Faults,
  isAmount,
  isCount,
  isName,
  isText,
  maxCount,
  nameRule,
} from './request-rules.ts';
import {
  type CheckedScan,
  type Contribution,
  type Finding,
  findingStatuses,
  type Issue,
  type Pillar,
  type ScanDraft,
} from './scans.ts';
import { isLevel } from './scored-rows.ts';

const maxHeadShaCharacters = 128;
const maxRubricVersionCharacters = 64;
/** Findings of a scan: every check for each of a few workspaces. They are a part of every list of scans. */
const maxFindings = 200;
const maxCheckCharacters = 64;
const maxPathCharacters = 300;
const maxPillars = 100;
const maxPillarNameCharacters = 64;
/** Contributions of a scan, and issues: more than any repository that one scan can describe. */
const maxRows = 10_000;
const maxMemberCharacters = 64;
const maxTitleCharacters = 500;
const maxStateCharacters = 32;
/** A scan is one row, replaced whole, and a document of MongoDB ends at 16 MiB. */
const maxIssuesBytes = 8 * 1024 * 1024;

const countRule = `must be a whole number from 0 to ${maxCount}`;

/**
 * Checks a scan against every rule (docs/contract.md, "Codebases").
 * @throws AppError `invalid_request` with a JSON Pointer to each wrong place.
 */
export function checkScan(draft: ScanDraft): asserts draft is CheckedScan {
  const faults = createFaults();
  checkCodebase(draft.codebase, faults);
  checkMetrics(draft.metrics, faults);
  checkRows('/contributions', draft.contributions, checkContribution, faults);
  checkRows('/issues', draft.issues, checkIssue, faults);
  faults.throwIfAny();
  if (Buffer.byteLength(JSON.stringify(draft.issues)) > maxIssuesBytes) {
    faults.add('/issues', `must be at most ${maxIssuesBytes} bytes of JSON`);
  }
  faults.throwIfAny();
}

function checkMetrics(metrics: ScanDraft['metrics'], faults: Faults): void {
  const { headSha, readinessPillars, readinessRubricVersion } = metrics;
  if (!isName(headSha, maxHeadShaCharacters)) {
    faults.add('/metrics/head_sha', nameRule(maxHeadShaCharacters));
  }
  if (!isCount(metrics.skillsCount)) faults.add('/metrics/skills_count', countRule);
  if (!isCount(metrics.commandsCount)) faults.add('/metrics/commands_count', countRule);
  if (!isLevel(metrics.readinessLevel)) {
    faults.add('/metrics/readiness_level', 'must be one of L0, L1, L2, L3, L4 and L5');
  }
  if (!isAmount(metrics.readinessPct, 100)) {
    faults.add('/metrics/readiness_pct', 'must be a number from 0 to 100');
  }
  if (!isName(readinessRubricVersion, maxRubricVersionCharacters)) {
    faults.add('/metrics/readiness_rubric_version', nameRule(maxRubricVersionCharacters));
  }
  checkFindings(metrics.findings ?? [], faults);
  if (readinessPillars.length > maxPillars) {
    faults.add('/metrics/readiness_pillars', `must have at most ${maxPillars} pillars`);
    return;
  }
  for (const pillar of readinessPillars) checkPillar(pillar, faults);
}

function checkFindings(findings: readonly Finding[], faults: Faults): void {
  if (findings.length > maxFindings) {
    faults.add('/metrics/findings', `must have at most ${maxFindings} entries`);
    return;
  }
  for (const [index, { check, status, workspace, path, line }] of findings.entries()) {
    const pointer = `/metrics/findings/${index}`;
    if (!isName(check, maxCheckCharacters)) faults.add(`${pointer}/check`, nameRule(maxCheckCharacters));
    if (!findingStatuses.includes(status)) {
      faults.add(`${pointer}/status`, `must be one of ${findingStatuses.join(', ')}`);
    }
    for (const [name, place] of Object.entries({ workspace, path })) {
      if (place !== '' && !isName(place, maxPathCharacters)) {
        faults.add(`${pointer}/${name}`, nameRule(maxPathCharacters));
      }
    }
    if (!isCount(line)) faults.add(`${pointer}/line`, countRule);
  }
}

function checkPillar({ name, passed, total }: Pillar, faults: Faults): void {
  if (!isName(name, maxPillarNameCharacters)) {
    // Where the name is what is wrong, it names no place that is worth repeating.
    faults.add('/metrics/readiness_pillars', `a name ${nameRule(maxPillarNameCharacters)}`);
    return;
  }
  const pointer = `/metrics/readiness_pillars/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  if (!isCount(total)) faults.add(`${pointer}/total`, countRule);
  if (!isCount(passed)) faults.add(`${pointer}/passed`, countRule);
  else if (passed > total) faults.add(`${pointer}/passed`, 'must not be more than total');
}

/** Checks the rows of a list one by one, unless there are too many to look at. */
function checkRows<Row>(
  pointer: string,
  rows: readonly Row[],
  check: (row: Row, pointer: string, faults: Faults) => void,
  faults: Faults,
): void {
  if (rows.length > maxRows) {
    faults.add(pointer, `must have at most ${maxRows} entries`);
    return;
  }
  for (const [index, row] of rows.entries()) check(row, `${pointer}/${index}`, faults);
}

function checkContribution(contribution: Contribution, pointer: string, faults: Faults): void {
  const { member, commits, agentCommits } = contribution;
  if (!isName(member, maxMemberCharacters)) faults.add(`${pointer}/member`, nameRule(maxMemberCharacters));
  if (!isCount(commits)) faults.add(`${pointer}/commits`, countRule);
  if (!isCount(agentCommits)) faults.add(`${pointer}/agent_commits`, countRule);
  else if (agentCommits > commits) faults.add(`${pointer}/agent_commits`, 'must not be more than commits');
}

function checkIssue({ number, title, state }: Issue, pointer: string, faults: Faults): void {
  if (!isCount(number)) faults.add(`${pointer}/number`, countRule);
  if (!isText(title, maxTitleCharacters)) {
    faults.add(`${pointer}/title`, `must be at most ${maxTitleCharacters} characters`);
  }
  if (!isText(state, maxStateCharacters)) {
    faults.add(`${pointer}/state`, `must be at most ${maxStateCharacters} characters`);
  }
}
