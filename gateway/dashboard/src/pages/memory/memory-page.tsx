import type { ComponentProps } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { usePathname } from 'wouter-preact/use-browser-location';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import {
  hasAllItems,
  itemsProblem,
  readFolderAhead,
  readOn,
  teamItems,
  useTeamItems,
} from '../../data/team-items.ts';
import { useRequest } from '../../data/use-request.ts';
import { mayWrite } from '../../service/session.ts';
import { Browser } from './browser.tsx';
import { type ChosenFile, filesOfDrop } from './chosen-files.ts';
import { folderEntries, pathFromAddress } from './folder.ts';
import { ItemView } from './item-view.tsx';
import styles from './memory-page.module.css';
import type UploadDialog from './upload-dialog.tsx';

/** What the team knows, by folder: beside the list of a folder stands the item that is read. */
export default function MemoryPage() {
  useTeamItems();
  // As the browser has it: the router's own form is decoded in part, which no path survives that has a percent sign.
  const address = usePathname();
  const [parameters, setParameters] = useSearchParams();
  const path = pathFromAddress(address.replace(/^\/memory\/?/, ''));
  const items = teamItems.value;
  const isItem = useMemo(() => items.some(({ row_key }) => row_key === path), [items, path]);
  const isFolder = useMemo(
    () => path === '' || items.some(({ row_key }) => row_key.startsWith(`${path}/`)),
    [items, path],
  );
  // A path of no folder is shown as an item: the service knows whether there is one, or was. What looks like a folder waits
  // until all items are known.
  const mayBeItem = isItem || (!isFolder && (hasAllItems.value || path.endsWith('.md')));
  const opened = mayBeItem ? path : undefined;
  const folder = opened === undefined ? path : path.slice(0, Math.max(0, path.lastIndexOf('/')));
  useEffect(() => {
    // What fails here comes with the others.
    readFolderAhead(folder).catch(() => undefined);
  }, [folder]);
  const entries = useMemo(() => folderEntries(items, folder), [items, folder]);
  const query = parameters.get('q') ?? '';
  const [upload, setUpload] = useState<{ dropped: readonly ChosenFile[] | undefined }>();
  const takesFiles = (event: DragEvent) => mayWrite() && event.dataTransfer?.types.includes('Files') === true;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a button does the same as dropping files.
    <div
      class={`${styles.columns} ${opened === undefined ? '' : styles.withItem}`}
      onDragOver={(event) => {
        if (takesFiles(event)) event.preventDefault();
      }}
      onDrop={async (event) => {
        if (!takesFiles(event) || event.dataTransfer === null) return;
        event.preventDefault();
        setUpload({ dropped: await filesOfDrop(event.dataTransfer) });
      }}
    >
      <Browser
        items={items}
        entries={entries}
        folder={folder}
        opened={opened}
        isComplete={hasAllItems.value}
        problem={itemsProblem.value}
        onRetry={readOn}
        query={query}
        onUpload={() => setUpload({ dropped: undefined })}
        onQuery={(words) => setParameters(words === '' ? [] : { q: words }, { replace: true })}
      />
      {opened !== undefined && <ItemView key={opened} rowKey={opened} query={query} />}
      {upload !== undefined && (
        <LazyUpload folder={folder} dropped={upload.dropped} onClose={() => setUpload(undefined)} />
      )}
    </div>
  );
}

/** Loaded when somebody uploads: it reads front matter, which no other part of the page does. */
function LazyUpload(props: ComponentProps<typeof UploadDialog>) {
  const { value, problem, reload } = useRequest(() => import('./upload-dialog.tsx'), []);
  if (value === undefined) return <ProblemNotice problem={problem} onRetry={reload} />;
  return <value.default {...props} />;
}
