import { useEffect, useRef, useState } from 'preact/hooks';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useAction } from '../../data/use-action.ts';
import { useRequest } from '../../data/use-request.ts';
import { numberText, plural, t } from '../../language/language.ts';
import { isTeamMember } from '../../service/session.ts';
import { type ChosenFile, filesOfInput, maxChosenFiles } from './chosen-files.ts';
import { type PlannedFile, planUpload } from './plan-upload.ts';
import { sendUpload } from './send-upload.ts';
import styles from './upload.module.css';

/** Rows of one group that are shown. */
const maxShown = 300;

const groups = [
  { state: 'refused', heading: t('Refused') },
  { state: 'stored', heading: t('Stored') },
  { state: 'new', heading: t('New') },
  { state: 'changed', heading: t('Changed') },
  { state: 'unchanged', heading: t('Unchanged') },
] as const;

/** Uploads files into a folder: chosen here or dropped before, listed before anything happens, each with what became of it. */
export default function UploadDialog({
  folder,
  dropped,
  onClose,
}: {
  folder: string;
  /** Undefined if nothing was dropped. */
  dropped: readonly ChosenFile[] | undefined;
  onClose: () => void;
}) {
  const [files, setFiles] = useState(dropped);
  const [planned, setPlanned] = useState<readonly PlannedFile[]>();
  const [waitSeconds, setWaitSeconds] = useState(0);
  const stop = useRef(new AbortController());
  const plan = useRequest(
    async (signal) => (files === undefined ? undefined : await planUpload(files, folder, signal)),
    [files],
  );
  useEffect(() => setPlanned(plan.value), [plan.value]);
  useEffect(() => () => stop.current.abort(), []);
  const upload = useAction(async () => {
    if (planned === undefined) return;
    await sendUpload(planned, {
      signal: stop.current.signal,
      onWait: setWaitSeconds,
      onFile: (file) =>
        setPlanned((before) => before?.map((each) => (each.path === file.path ? file : each))),
    });
  });
  const waiting = planned?.filter(({ state }) => state === 'new' || state === 'changed').length ?? 0;
  const stored = planned?.filter(({ state }) => state === 'stored').length ?? 0;
  return (
    <Dialog
      title={t('Upload notes')}
      isWide
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{waiting === 0 && stored > 0 ? t('Close') : t('Cancel')}</Button>
          {waiting > 0 && (
            <Button kind="primary" isBusy={upload.isRunning} onClick={() => upload.run()}>
              {stored > 0 && !upload.isRunning
                ? t('Go on')
                : plural(waiting, 'Upload 1 file', 'Upload {count} files')}
            </Button>
          )}
        </>
      }
    >
      {files === undefined && <ChooseFiles folder={folder} onChoose={setFiles} />}
      {files !== undefined && planned === undefined && plan.problem === undefined && (
        <Skeleton lines={6} label={t('Reading the files')} />
      )}
      {files !== undefined && files.length >= maxChosenFiles && (
        <p>{t('Only the first {maxChosenFiles} files are looked at.', { maxChosenFiles })}</p>
      )}
      {planned?.length === 0 && <p>{t('There is no file to upload. Hidden files are left out.')}</p>}
      {(upload.isRunning || stored > 0) && (
        <progress
          class={styles.progress}
          max={stored + waiting}
          value={stored}
          aria-label={t('Stored files')}
        />
      )}
      <p role="status" class={styles.state}>
        {planned !== undefined && stateWords(stored, waiting, waitSeconds)}
      </p>
      <ProblemNotice problem={upload.problem} />
      <ProblemNotice problem={plan.problem} onRetry={plan.reload} />
      {planned !== undefined && <Groups planned={planned} />}
    </Dialog>
  );
}

function ChooseFiles({ folder, onChoose }: { folder: string; onChoose: (files: ChosenFile[]) => void }) {
  const choose = ({ currentTarget: { files } }: { currentTarget: HTMLInputElement }) => {
    if (files !== null && files.length > 0) onChoose(filesOfInput(files));
  };
  return (
    <>
      <p>
        {folder === ''
          ? t('Markdown files go into the outermost folder.')
          : t('Markdown files go into {folder}.', { folder: <code>{folder}</code> })}{' '}
        {t(
          'You can also drop files or a folder onto the page. Nothing is sent before you have seen the list.',
        )}
      </p>
      <label class={styles.choice}>
        <span>{t('Files')}</span>
        <input type="file" multiple accept=".md,.markdown" onChange={choose} />
      </label>
      <label class={styles.choice}>
        <span>{t('A folder')}</span>
        <input type="file" ref={chooseFolder} onChange={choose} />
      </label>
    </>
  );
}

function Groups({ planned }: { planned: readonly PlannedFile[] }) {
  return (
    <>
      {groups.map(({ state, heading }) => {
        const files = planned.filter((file) => file.state === state);
        if (files.length === 0) return null;
        return (
          <section key={state} aria-label={heading}>
            <h3>
              {heading} <span class={styles.count}>{numberText(files.length)}</span>
            </h3>
            <ul class={styles.files}>
              {files.slice(0, maxShown).map(({ path, reason, item }) => (
                <li key={path}>
                  <code>{path}</code>
                  {item?.tier === 'external' && isTeamMember() && (
                    <Badge tone="guest">{t('Guests too')}</Badge>
                  )}
                  {reason !== '' && <span class={styles.reason}>{reason}</span>}
                </li>
              ))}
            </ul>
            {files.length > maxShown && <p>{t('and {count} more', { count: files.length - maxShown })}</p>}
          </section>
        );
      })}
    </>
  );
}

function stateWords(stored: number, waiting: number, waitSeconds: number): string {
  if (waitSeconds > 0)
    return t('{stored} stored. The limit of your key is reached; it goes on in {waitSeconds} s.', {
      stored,
      waitSeconds,
    });
  if (stored === 0) return waiting === 0 ? t('Nothing to upload.') : '';
  return waiting === 0
    ? t('{stored} stored.', { stored })
    : t('{stored} stored, {waiting} to go.', { stored, waiting });
}

/** Lets a person choose a folder. Preact does not know the attribute, the browser's types do. */
function chooseFolder(input: HTMLInputElement | null): void {
  if (input !== null) input.webkitdirectory = true;
}
