import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { ProblemNotice } from '../../../components/problem-notice.tsx';
import { useAction } from '../../../data/use-action.ts';
import { plural, t } from '../../../language/language.ts';
import { session } from '../../../service/session.ts';
import styles from '../team-page.module.css';

/** Downloads what the team has written as an archive. */
export function ExportCard() {
  const leaving = useRef(new AbortController());
  const [read, setRead] = useState(0);
  const [isDone, setDone] = useState(false);
  useEffect(() => () => leaving.current.abort(), []);
  const team = session.value?.team ?? '';
  const action = useAction(async () => {
    setRead(0);
    setDone(false);
    const { exportTeam } = await import('./export-team.ts');
    const archive = await exportTeam(team, { signal: leaving.current.signal, onRead: setRead });
    download(archive, `${team}.tar.gz`);
    setDone(true);
  });
  return (
    <Card title={t('Export')}>
      <p>
        {t(
          'An archive has the newest version of every item as a file, with its front matter. Earlier versions, decisions, members, keys and the audit log are not in it.',
        )}
      </p>
      <p class={styles.detail} role="status">
        {action.isRunning && plural(read, '{count} item read', '{count} items read')}
        {isDone && plural(read, 'The archive has {count} item.', 'The archive has {count} items.')}
      </p>
      <ProblemNotice problem={action.problem} />
      <Button kind="primary" isBusy={action.isRunning} onClick={() => action.run()}>
        {t('Download the archive')}
      </Button>
    </Card>
  );
}

function download(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken hold of the file by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
