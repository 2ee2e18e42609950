import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { useAction } from '../../data/use-action.ts';
import { useRequest } from '../../data/use-request.ts';
import { plural, t } from '../../language/language.ts';
import type { Unchanged } from './linking-notes.ts';

/** What reads Markdown is loaded with the editor, and not with the page. */
const linkingNotes = () => import('./linking-notes.ts');

/** Notes that are named; of more there is the number. */
const maxNamed = 20;

/** Offers to change the links to a note that was moved, and says what became of each note that has some. */
export function MovedNote({ from, to, onDone }: { from: string; to: string; onDone: () => void }) {
  const [read, setRead] = useState(0);
  const [unchanged, setUnchanged] = useState<readonly Unchanged[]>();
  const found = useRequest(
    async (signal) => (await linkingNotes()).findLinks(from, to, { onRead: setRead, signal }),
    [],
  );
  const change = useAction(async () => {
    const failed = await (await linkingNotes()).changeLinks(from, to, open);
    if (failed.length === 0) onDone();
    else setUnchanged(failed);
  });
  const notes = found.value ?? [];
  const open = notes.filter(({ closed }) => closed === undefined);
  const closed = notes.filter(({ closed: reason }) => reason !== undefined);
  const isNone = found.value !== undefined && notes.length === 0;
  useEffect(() => {
    if (isNone) onDone();
  }, [isNone]);
  if (unchanged !== undefined) {
    const count = open.length - unchanged.length;
    return (
      <Dialog
        title={t('Some links still lead to the old path')}
        onClose={onDone}
        actions={
          <Button kind="primary" onClick={onDone}>
            {t('Open the note')}
          </Button>
        }
      >
        <p>
          {plural(
            count,
            'One note was changed. These were not:',
            '{count} notes were changed. These were not:',
          )}
        </p>
        <Named notes={unchanged.map(({ path, problem }) => ({ path, detail: problem.message }))} />
      </Dialog>
    );
  }
  return (
    <Dialog
      title={t('Links to the note that you moved')}
      onClose={onDone}
      actions={
        <>
          <Button onClick={onDone}>{open.length === 0 ? t('Go on') : t('Leave them')}</Button>
          {open.length > 0 && (
            <Button kind="primary" isBusy={change.isRunning} onClick={() => change.run()}>
              {t('Change their links')}
            </Button>
          )}
        </>
      }
    >
      <ProblemNotice problem={found.problem} onRetry={found.reload} />
      {found.value === undefined && found.problem === undefined && (
        <p role="status">
          {t('It is saved as {to}. Looking for links to it: {count} notes read.', { to, count: read })}
        </p>
      )}
      {open.length > 0 && (
        <>
          <p>{plural(open.length, 'One note links here.', '{count} notes link here.')}</p>
          <Named
            notes={open.map(({ path, count }) => ({
              path,
              detail: plural(count, '1 link', '{count} links'),
            }))}
          />
        </>
      )}
      {closed.length > 0 && (
        <>
          <p>{t('The links in these notes stay as they are:')}</p>
          <Named notes={closed.map(({ path, closed: detail = '' }) => ({ path, detail }))} />
        </>
      )}
      <ProblemNotice problem={change.problem} />
    </Dialog>
  );
}

function Named({ notes }: { notes: readonly { path: string; detail: string }[] }) {
  return (
    <ul>
      {notes.slice(0, maxNamed).map(({ path, detail }) => (
        <li key={path}>
          <code>{path}</code>: {detail}
        </li>
      ))}
      {notes.length > maxNamed && <li>{t('and {count} more', { count: notes.length - maxNamed })}</li>}
    </ul>
  );
}
