import type { ComponentChildren } from 'preact';
import { t } from '../language/language.ts';
import { Button } from './button.tsx';
import { Command } from './copy.tsx';
import { Dialog } from './dialog.tsx';
import { Notice } from './problem-notice.tsx';

/** Shows a secret that was just made, which nobody can read again. The children say what else there is to know of it. */
export function ShownOnce({
  title,
  warning,
  secret,
  children,
  onClose,
}: {
  title: string;
  warning: ComponentChildren;
  secret: string;
  children?: ComponentChildren;
  onClose: () => void;
}) {
  return (
    <Dialog
      title={title}
      actions={
        <Button kind="primary" onClick={onClose}>
          {t('I have copied it')}
        </Button>
      }
    >
      <Notice tone="warn">
        <p>{warning}</p>
      </Notice>
      <Command text={secret} />
      {children}
    </Dialog>
  );
}
