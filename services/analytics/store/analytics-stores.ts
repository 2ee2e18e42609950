import type { CodebaseStore } from '../domain/codebase-store.ts';
import type { ReleaseStore } from '../domain/release-store.ts';
import type { ScanStore } from '../domain/scan-store.ts';
import type { SnapshotStore } from '../domain/snapshot-store.ts';

/** Everything that the service keeps. */
export interface AnalyticsStores {
  codebases: CodebaseStore;
  scans: ScanStore;
  snapshots: SnapshotStore;
  /** What rollups have shown. */
  releases: ReleaseStore;
  /** Throws where the stores cannot answer. */
  ready(): Promise<void>;
  /** Ends after the writes that wait. */
  close(): Promise<void>;
}
