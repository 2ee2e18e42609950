import { t } from '../language/language.ts';
import { Button } from './button.tsx';
import styles from './editor-bar.module.css';

/** The bar below an editor: what saving will do or has done, and the buttons that leave and save. */
export function EditorBar({
  state,
  leave,
  save,
  isChanged,
  isBusy,
  onLeave,
}: {
  state: string;
  /** What the button says that leaves an editor in which nothing was changed. */
  leave: string;
  save: string;
  isChanged: boolean;
  isBusy: boolean;
  /** Called when the edit is to be discarded. */
  onLeave: () => void;
}) {
  return (
    <div class={styles.bar}>
      <p class={styles.state} role="status">
        {state}
      </p>
      <Button kind="quiet" onClick={onLeave}>
        {isChanged ? t('Discard') : leave}
      </Button>
      <Button kind="primary" type="submit" isBusy={isBusy} disabled={!isChanged}>
        {save}
      </Button>
    </div>
  );
}
