import { randomUUIDv7 } from 'node:crypto';
import { AppError } from '@teammemory/errors/app-error.ts';
import { type AgenticScore, agenticScore, currentScoreVersion } from './agentic-score.ts';
import type { Codebase, CodebaseStore } from './codebases.ts';
import { checkScan } from './scan-rules.ts';
import type { Scan, ScanDraft, ScanStore } from './scans.ts';

/** Codebases of a team: each is a row that stays. */
const maxCodebasesOfTeam = 500;
/** Scans of a codebase: years of commits, of which one with long lists may have 8 MiB. */
const keptOfCodebase = { scans: 2_000, bytes: 64 * 1024 * 1024 };

export interface PushScanDependencies {
  codebases: CodebaseStore;
  scans: ScanStore;
  /** Milliseconds since the epoch. */
  clock: () => number;
}

/** The result of a push of a scan. */
export interface PushedScan {
  codebaseId: string;
  scanId: string;
  score: AgenticScore;
}

/**
 * Rates a scan and stores it in the place of the one of the same codebase and
 * commit. The codebase is kept first: a scan is never without its codebase. The
 * oldest scans of a codebase that has very many are forgotten.
 * @throws AppError `invalid_request`, `unavailable`.
 */
export async function pushScan(
  { codebases, scans, clock }: PushScanDependencies,
  teamId: string,
  draft: ScanDraft,
): Promise<PushedScan> {
  checkScan(draft);
  const { codebase, metrics, contributions, issues } = draft;
  const score = agenticScore(currentScoreVersion, metrics);
  const at = clock();
  const how = { at, maxOfTeam: maxCodebasesOfTeam };
  const codebaseId = await codebases.put(teamId, { ...codebase, codebaseId: randomUUIDv7() }, how);
  if (codebaseId === undefined) throw tooManyCodebases();
  const scan = {
    id: randomUUIDv7(),
    codebaseId,
    metrics,
    contributions,
    issues,
    agenticScore: score.score,
    version: currentScoreVersion,
  };
  const scanId = await scans.put(teamId, scan, at);
  await scans.keepNewest(teamId, codebaseId, keptOfCodebase);
  return { codebaseId, scanId, score };
}

function tooManyCodebases(): AppError {
  const detail = `is new, and the team has as many codebases as are allowed (${maxCodebasesOfTeam})`;
  return new AppError('invalid_request', 'The team has too many codebases.', {
    violations: [{ pointer: '/codebase/slug', detail }],
  });
}

/** A stored scan with what its score is made of. */
export interface ExplainedScan {
  codebase: Codebase;
  scan: Scan;
  score: AgenticScore;
}

/**
 * Finds a scan and explains its score by the version that made it.
 * @throws AppError `not_found`, `unavailable`.
 */
export async function explainScan(
  { codebases, scans }: { codebases: CodebaseStore; scans: ScanStore },
  teamId: string,
  codebaseSlug: string,
  headSha: string,
): Promise<ExplainedScan> {
  const codebase = await codebases.find(teamId, codebaseSlug);
  const scan = codebase && (await scans.find(teamId, codebase.codebaseId, headSha));
  if (!codebase || !scan) throw new AppError('not_found', 'There is no such scan.');
  return { codebase, scan, score: agenticScore(scan.version, scan.metrics) };
}
