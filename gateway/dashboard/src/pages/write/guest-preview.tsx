import { ConfirmGuests } from '../../components/confirm-guests.tsx';
import { Markdown } from '../../components/markdown.tsx';
import { t } from '../../language/language.ts';
import { session } from '../../service/session.ts';
import { frontMatterOf } from './front-matter.ts';
import type { WrittenNote } from './save-note.ts';
import styles from './write-page.module.css';

/** Asks before guests see a note that they did not see before, and shows what they will see. */
export function GuestPreview({
  note: { path, text },
  onClose,
  onConfirm,
}: {
  note: WrittenNote;
  onClose: () => void;
  onConfirm: () => void;
}) {
  const { fields, bodyFrom } = frontMatterOf(text);
  return (
    <ConfirmGuests isWide onClose={onClose} onConfirm={onConfirm}>
      <p>
        {t(
          'Everybody from outside with a guest key of this team will see all of this, and can search it and ask about it. Their tools may keep a copy. You can take it back to the team later, but what was read cannot be unread. Earlier versions stay with the team.',
        )}
      </p>
      <section class={styles.preview} aria-label={t('What guests will see')}>
        <p>{t('{path}, by {member}', { path: <code>{path}</code>, member: session.value?.member })}</p>
        {fields.length > 0 && (
          <dl>
            {fields.map(({ name, value }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
        <Markdown text={text.slice(bodyFrom)} rowKey={path} />
      </section>
    </ConfirmGuests>
  );
}
