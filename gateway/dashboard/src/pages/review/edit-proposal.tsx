import { useRef, useState } from 'preact/hooks';
import { AudienceChoice } from '../../components/audience-choice.tsx';
import { Button } from '../../components/button.tsx';
import { t } from '../../language/language.ts';
import type { Item } from '../../service/items.ts';
import { LazyEditor } from '../write/lazy-editor.tsx';
import { withLineEndsOf, withPlainLineEnds } from '../write/line-ends.ts';
import styles from './review.module.css';

/** Edits what was proposed before it is accepted. */
export function EditProposal({
  path,
  start,
  isBusy,
  onAccept,
  onLeave,
}: {
  path: string;
  start: { text: string; tier: Item['tier'] };
  isBusy: boolean;
  onAccept: (edited: { text: string; tier: Item['tier'] }) => void;
  onLeave: () => void;
}) {
  const [text, setText] = useState(() => withPlainLineEnds(start.text));
  const [tier, setTier] = useState(start.tier);
  const control = useRef<((text: string) => void) | undefined>(undefined);
  return (
    <form
      class={styles.form}
      noValidate
      aria-label={t('The proposal')}
      onSubmit={(event) => {
        event.preventDefault();
        onAccept({ text: withLineEndsOf(start.text, text), tier });
      }}
    >
      <div class={styles.editor}>
        <LazyEditor label={t('Text')} text={text} path={path} control={control} onChange={setText} />
      </div>
      <AudienceChoice value={tier} onChange={setTier} />
      <div class={styles.actions}>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {t('Accept what you edited')}
        </Button>
        <Button kind="quiet" onClick={onLeave}>
          {t('Discard')}
        </Button>
      </div>
    </form>
  );
}
