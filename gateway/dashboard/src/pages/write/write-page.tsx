import { Link, useSearchParams } from 'wouter-preact';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useRequest } from '../../data/use-request.ts';
import { t } from '../../language/language.ts';
import { itemPath } from '../../service/paths.ts';
import { mayChange, mayWrite } from '../../service/session.ts';
import { NoteEditor } from './note-editor.tsx';
import { readNote } from './save-note.ts';

/** The page on which a note is written: the item that the address names, or a new one in its folder. */
export default function WritePage() {
  const [parameters] = useSearchParams();
  const path = parameters.get('item');
  const folder = parameters.get('folder') ?? '';
  const { value, problem, reload } = useRequest(
    async (signal) => (path === null ? undefined : await readNote(path, signal)),
    [path],
  );
  const isLoading = path !== null && value === undefined && problem === undefined;
  const isClosed =
    path === null ? !mayWrite() : value !== undefined && !mayChange({ updated_by: value.updatedBy });
  const isOpen = !isLoading && !isClosed && problem === undefined;
  return (
    <Page title={path === null ? t('New note') : t('Edit note')}>
      <ProblemNotice problem={problem} onRetry={reload} />
      {isLoading && <Skeleton lines={8} />}
      {isClosed && (
        <EmptyState icon="file" title={t('Your key does not write this note')}>
          {path === null ? (
            t('Notes are written by those whose key may write.')
          ) : (
            <Link href={itemPath(path)}>{path}</Link>
          )}
        </EmptyState>
      )}
      {isOpen && <NoteEditor key={path ?? ''} stored={value} folder={folder} />}
    </Page>
  );
}
