import { useState } from 'preact/hooks';
import { FormDialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { useAction } from '../../data/use-action.ts';
import { t } from '../../language/language.ts';
import { rpc } from '../../service/rpc.ts';
import { slugOf } from './projects.ts';

const slugForm = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/** Creates a project. Its slug follows from its name until somebody writes another one. */
export function CreateProject({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (slug: string) => void;
}) {
  const [name, setName] = useState('');
  const [typed, setTyped] = useState<string>();
  const slug = typed ?? slugOf(name);
  const create = useAction(async () => {
    await rpc.content.createProject({ slug, name: name.trim() });
    onCreated(slug);
  });
  const isReady = name.trim() !== '' && slugForm.test(slug);
  return (
    <FormDialog
      title={t('New project')}
      submit={t('Create project')}
      action={create}
      isReady={isReady}
      onClose={onClose}
    >
      <Field
        label={t('Name')}
        autofocus
        value={name}
        maxLength={200}
        required
        hint={t('What people read. You can change it later.')}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <Field
        label={t('Slug')}
        value={slug}
        maxLength={64}
        required
        spellcheck={false}
        hint={t(
          'What items and decisions name it by: a to z, 0 to 9 and hyphens. It cannot be changed later.',
        )}
        error={
          slug === '' || slugForm.test(slug)
            ? undefined
            : t('Only a to z, 0 to 9 and hyphens, with a letter or digit at both ends.')
        }
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

/** Gives a project another name. */
export function RenameProject({
  project,
  onClose,
  onRenamed,
}: {
  project: { slug: string; name: string };
  onClose: () => void;
  onRenamed: () => void;
}) {
  const [name, setName] = useState(project.name);
  const rename = useAction(async () => {
    await rpc.content.renameProject({ slug: project.slug, name: name.trim() });
    onRenamed();
  });
  const isReady = name.trim() !== '' && name.trim() !== project.name;
  return (
    <FormDialog
      title={t('Rename project')}
      submit={t('Rename')}
      action={rename}
      isReady={isReady}
      onClose={onClose}
    >
      <Field
        label={t('Name')}
        autofocus
        value={name}
        maxLength={200}
        required
        hint={t('Everybody on the team sees it. The slug {slug} stays, and so does all that names it.', {
          slug: project.slug,
        })}
        onInput={(event) => setName(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
