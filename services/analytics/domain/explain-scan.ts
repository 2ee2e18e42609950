import { AppError } from '@teammemory/errors/app-error.ts';
import { type AgenticScore, agenticScore } from './agentic-score.ts';
import type { Codebase } from './codebase.ts';
import type { CodebaseStore } from './codebase-store.ts';
import type { Scan, ScanStore } from './scan-store.ts';

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
