import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { ConfirmAction } from '../../components/dialog.tsx';
import { Select } from '../../components/field.tsx';
import { useAction } from '../../data/use-action.ts';
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
        Remove
      </Button>
      {asks && (
        <ConfirmAction
          title="Remove this item?"
          confirm={reach === 'versions' ? 'Erase every version' : 'Remove'}
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
            Everybody loses sight of <code>{item.row_key}</code>, and so do lists, answers and searches.
          </p>
          <Select
            label="Its earlier versions"
            value={reach}
            onChange={({ currentTarget }) => setReach(currentTarget.value as Reach)}
            hint={
              reach === 'versions'
                ? 'Nobody can read or restore any version again. This cannot be undone. Backups, and copies that people have pulled, keep it.'
                : 'Members of the team can still read every version in the history, and restore it.'
            }
          >
            <option value="item">Keep them</option>
            <option value="versions">Erase every version</option>
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
        Erase every version
      </Button>
      {asks && (
        <ConfirmAction
          title="Erase every version?"
          confirm="Erase"
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
            Nobody can read or restore any version of <code>{rowKey}</code> again. This cannot be undone.
            Backups, and copies that people have pulled, keep it.
          </p>
        </ConfirmAction>
      )}
    </>
  );
}
