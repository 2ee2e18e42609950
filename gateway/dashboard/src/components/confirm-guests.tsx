import type { ComponentChildren } from 'preact';
import { t } from '../language/language.ts';
import { ConfirmDialog } from './dialog.tsx';

/** Asks before guests see what they did not see before; `children` say what that is. */
export function ConfirmGuests(props: {
  isWide?: boolean;
  onClose: () => void;
  onConfirm: () => void;
  children: ComponentChildren;
}) {
  return (
    <ConfirmDialog
      title={t('Show it to guests?')}
      confirm={t('Show it to guests')}
      isDanger={false}
      {...props}
    />
  );
}
