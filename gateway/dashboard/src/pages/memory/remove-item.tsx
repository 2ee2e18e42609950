import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { ConfirmAction } from '../../components/dialog.tsx';
import { Select } from '../../components/field.tsx';
import { useAction } from '../../data/use-action.ts';
import { t } from '../../language/language.ts';
import type { Item } from '../../service/items.ts';
import { rpc } from '../../service/rpc.ts';
import { mayChange, session } from '../../service/session.ts';

type Reach = 'item' | 'versions';

/** A button that removes an item after a question, with its versions or without; nothing for whoever may not. */
export function RemoveItem({ item, onRemoved }: { item: Item; onRemoved: () => void }) {
  const [asks, setAsks] = useState(false);
  const [reach, setReach] = useState<Reach>('item');
  const remove = useAction(async () => {
    // What somebody else has written since this page showed it stays.
    const shown = { rowKey: item.row_key, baseChecksum: item.checksum };
    if (reach === 'versions') await rpc.content.eraseItem(shown);
    else await rpc.content.deleteItem(shown);
  });
  if (!mayChange(item)) return null;
  return (
    <>
      <Button kind="quiet" onClick={() => setAsks(true)}>
        {t('Remove')}
      </Button>
      {asks && (
        <ConfirmAction
          title={t('Remove this item?')}
          confirm={reach === 'versions' ? t('Erase every version') : t('Remove')}
          action={remove}
          onClose={() => {
            setAsks(false);
            remove.reset();
          }}
          onDone={() => {
            setAsks(false);
            onRemoved();
          }}
        >
          <p>
            {t('Everybody loses sight of {row_key}, and so do lists, answers and searches.', {
              row_key: <code>{item.row_key}</code>,
            })}
          </p>
          <Select
            label={t('Its earlier versions')}
            value={reach}
            onChange={({ currentTarget }) => setReach(currentTarget.value as Reach)}
            hint={
              reach === 'versions'
                ? t(
                    'Nobody can read or restore any version again. This cannot be undone. Backups, and copies that people have pulled, keep it.',
                  )
                : t('Members of the team can still read every version in the history, and restore it.')
            }
          >
            <option value="item">{t('Keep them')}</option>
            <option value="versions">{t('Erase every version')}</option>
          </Select>
        </ConfirmAction>
      )}
    </>
  );
}

/** A button that erases the versions of an item that was removed, after a question. */
export function EraseRemoved({ rowKey, onErased }: { rowKey: string; onErased: () => void }) {
  const [asks, setAsks] = useState(false);
  const erase = useAction(async () => rpc.content.eraseItem({ rowKey }));
  if (session.value?.access !== 'write') return null;
  return (
    <>
      <Button kind="danger" onClick={() => setAsks(true)}>
        {t('Erase every version')}
      </Button>
      {asks && (
        <ConfirmAction
          title={t('Erase every version?')}
          confirm={t('Erase')}
          action={erase}
          onClose={() => {
            setAsks(false);
            erase.reset();
          }}
          onDone={() => {
            setAsks(false);
            onErased();
          }}
        >
          <p>
            {t(
              'Nobody can read or restore any version of {rowKey} again. This cannot be undone. Backups, and copies that people have pulled, keep it.',
              { rowKey: <code>{rowKey}</code> },
            )}
          </p>
        </ConfirmAction>
      )}
    </>
  );
}
