import type { FileSystem } from '../state/file-system.ts';
import { initWorkspace, openWorkspace, type Workspace } from '../state/workspace.ts';
import type { SyncEvent, SyncOptions, SyncSummary } from '../summary.ts';
import { synchronize } from '../synchronize.ts';
import { createFakeService, type FakeClientOptions, type FakeService } from './fake-service.fixture.ts';
import { createMemoryFileSystem, type MemoryFileSystem } from './memory-file-system.fixture.ts';

/** A folder in memory that is in step with a fake service. */
export interface Replica {
  disk: MemoryFileSystem;
  root: string;
  events: SyncEvent[];
  write(rowKey: string, text: string | Uint8Array): void;
  text(rowKey: string): string | undefined;
  drop(rowKey: string): void;
  move(from: string, to: string): void;
  /** Row_keys of all files, copies of other versions too. */
  files(): string[];
  /** Runs once, with a lock of its own. */
  sync(options?: Partial<SyncOptions>): Promise<SyncSummary>;
  /** Opens the workspace, works with it and closes it. */
  within<Result>(work: (workspace: Workspace) => Promise<Result>): Promise<Result>;
}

export interface ReplicaOptions extends FakeClientOptions {
  root?: string;
  disk?: MemoryFileSystem;
  /** Stands between the runs and the disk. */
  files?: FileSystem;
}

export async function createReplica(service: FakeService, options: ReplicaOptions = {}): Promise<Replica> {
  const { root = '/notes', disk = createMemoryFileSystem() } = options;
  const settings = { url: 'http://service', team: 'rivers' };
  await initWorkspace(root, settings, disk);
  const client = service.client(options);
  const events: SyncEvent[] = [];
  const within: Replica['within'] = async (work) => {
    const workspace = await openWorkspace(root, { files: options.files ?? disk });
    try {
      return await work(workspace);
    } finally {
      await workspace.close();
    }
  };
  return {
    disk,
    root,
    events,
    within,
    write: (rowKey, text) => disk.put(`${root}/${rowKey}`, text),
    text: (rowKey) => disk.text(`${root}/${rowKey}`),
    drop: (rowKey) => disk.drop(`${root}/${rowKey}`),
    move: (from, to) => disk.move(`${root}/${from}`, `${root}/${to}`),
    files: () => disk.all().map((path) => path.slice(root.length + 1)),
    sync: (sync = {}) =>
      within((workspace) =>
        synchronize(workspace, client, {
          direction: 'both',
          signal: new AbortController().signal,
          report: (event) => events.push(event),
          ...sync,
        }),
      ),
  };
}

/** A service and the folders of two members. */
export async function createPair(): Promise<{ service: FakeService; ada: Replica; bob: Replica }> {
  const service = createFakeService();
  const ada = await createReplica(service, { member: 'ada' });
  const bob = await createReplica(service, { member: 'bob', root: '/home/bob/team' });
  return { service, ada, bob };
}

/** The text of each file by its row_key. */
export function contents(replica: Replica): Record<string, string | undefined> {
  return Object.fromEntries(replica.files().map((rowKey) => [rowKey, replica.text(rowKey)]));
}
