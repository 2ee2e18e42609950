import type { ComponentProps } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { usePathname } from 'wouter-preact/use-browser-location';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { knownFolder, readAgain, readMore, useFolder } from '../../data/folders.ts';
import { useRequest } from '../../data/use-request.ts';
import { t } from '../../language/language.ts';
import { mayWrite } from '../../service/session.ts';
import { Browser } from './browser.tsx';
import { type ChosenFile, filesOfDrop } from './chosen-files.ts';
import { folderOf, pathFromAddress, shownEntries, whatIs } from './folder.ts';
import { ItemView } from './item-view.tsx';
import styles from './memory-page.module.css';
import type UploadDialog from './upload-dialog.tsx';

/** What the team knows, by folder: beside the list of a folder stands the item that is read. */
export default function MemoryPage() {
  // As the browser has it: the router's own form is decoded in part, which no path survives that has a percent sign.
  const address = usePathname();
  const [parameters, setParameters] = useSearchParams();
  const path = pathFromAddress(address.replace(/^\/memory\/?|\/$/g, ''));
  const own = useFolder(path);
  const { isItem, isFolder } = whatIs(path, own, knownFolder(folderOf(path)));
  const opened = isItem ? path : undefined;
  const folder = isFolder ? path : folderOf(path);
  const listing = useFolder(folder);
  const entries = useMemo(() => (listing === undefined ? [] : shownEntries(listing)), [listing]);
  const query = parameters.get('q') ?? '';
  const [upload, setUpload] = useState<{ dropped: readonly ChosenFile[] | undefined }>();
  const takesFiles = (event: DragEvent) =>
    mayWrite() && event.dataTransfer?.types.includes(t('Files')) === true;
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
        entries={entries}
        folder={folder}
        opened={opened}
        isRead={listing !== undefined && listing.pages.length > 0}
        isComplete={listing?.nextToken === ''}
        problem={listing?.problem}
        onRetry={() => readAgain(folder)}
        onEnd={() => void readMore(folder)}
        query={query}
        onUpload={() => setUpload({ dropped: undefined })}
        onQuery={(words) => setParameters(words === '' ? [] : { q: words }, { replace: true })}
      />
      {opened !== undefined && <ItemView key={opened} rowKey={opened} query={query} summary={own?.item} />}
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
