import { randomUUIDv7 } from 'node:crypto';
import { agenticScore, currentScoreVersion } from './agentic-score.ts';
import type { CodebaseStore } from './codebase-store.ts';
import type { ScanDraft } from './scan.ts';
import { checkScan } from './scan-rules.ts';
import type { ScanStore } from './scan-store.ts';

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
 * commit. The codebase is kept first: a scan is never without its codebase.
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
  const codebaseId = await codebases.put(teamId, { ...codebase, codebaseId: randomUUIDv7() }, at);
  const scan = {
    id: randomUUIDv7(),
    codebaseId,
    metrics,
    contributions,
    issues,
    agenticScore: score,
    version: currentScoreVersion,
  };
  return { codebaseId, scanId: await scans.put(teamId, scan, at), agenticScore: score };
}
