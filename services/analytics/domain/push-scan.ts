import { randomUUIDv7 } from 'node:crypto';
import { AppError } from '@teammemory/errors/app-error.ts';
import { agenticScore, currentScoreVersion } from './agentic-score.ts';
import type { CodebaseStore } from './codebase-store.ts';
import type { ScanDraft } from './scan.ts';
import { checkScan } from './scan-rules.ts';
import type { ScanStore } from './scan-store.ts';

/** Codebases of a team: each is a row that stays. */
const codebasesMaxOfTeam = 500;
/** Scans of a codebase: years of commits, of which one with long lists may have 8 MiB. */
const keptOfCodebase = { scans: 2_000, bytes: 64 * 1024 * 1024 };

export interface PushScanDependencies {
  codebases: CodebaseStore;
  scans: ScanStore;
  /** Milliseconds since the epoch. */
  clock: () => number;
}

/** What became of a scan. */
export interface PushedScan {
  codebaseId: string;
  scanId: string;
  /** 0 to 100, one decimal. */
  agenticScore: number;
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
  const { score } = agenticScore(currentScoreVersion, metrics);
  const at = clock();
  const how = { at, maxOfTeam: codebasesMaxOfTeam };
  const codebaseId = await codebases.put(teamId, { ...codebase, codebaseId: randomUUIDv7() }, how);
  if (codebaseId === undefined) throw tooManyCodebases();
  const scan = {
    id: randomUUIDv7(),
    codebaseId,
    metrics,
    contributions,
    issues,
    agenticScore: score,
    version: currentScoreVersion,
  };
  const scanId = await scans.put(teamId, scan, at);
  await scans.keepNewest(teamId, codebaseId, keptOfCodebase);
  return { codebaseId, scanId, agenticScore: score };
}

function tooManyCodebases(): AppError {
  const detail = `is new, and the team has as many codebases as are allowed (${codebasesMaxOfTeam})`;
  return new AppError('invalid_request', 'The team has too many codebases.', {
    violations: [{ pointer: '/codebase/slug', detail }],
  });
}
