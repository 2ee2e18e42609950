import { rpcCall } from '../rpc/rpc-call.ts';
import type { RunningService } from '../service/running-service.ts';

/** Looks, past the public API, at which scans and snapshots a team has. */
export interface StoredScores {
  /** Whether there is a scan of a commit of the codebase `api`. */
  hasScan(headSha: string): Promise<boolean>;
  /** Whether there is a snapshot of the member `ada` for a day. */
  hasSnapshot(date: string): Promise<boolean>;
}

/** Asks as an administrator, who may see all. */
export async function storedScores(
  { rpcUrl, adminToken }: Pick<RunningService, 'rpcUrl' | 'adminToken'>,
  slug: string,
): Promise<StoredScores> {
  const call = (method: string, message: object) =>
    rpcCall({ rpcUrl, protocol: 'connect', method, message, authorization: `Bearer ${adminToken}` });
  const { teamId } = (await call('teammemory.auth.v1.AuthService/GetTeam', { slug })).message.team;
  const has = async (method: string, wanted: object) => {
    const { code } = await call(`teammemory.analytics.v1.AnalyticsService/${method}`, { teamId, ...wanted });
    if (code !== 'ok' && code !== 'not_found') throw new Error(`${method} answered ${code}`);
    return code === 'ok';
  };
  return {
    hasScan: (headSha) => has('ExplainScan', { codebaseSlug: 'api', headSha }),
    hasSnapshot: (date) => has('ExplainSnapshot', { member: 'ada', metric: 'aem-individual', date }),
  };
}
