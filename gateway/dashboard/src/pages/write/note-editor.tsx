import { frontmatterTier } from '@teammemory/sync/format/frontmatter-tier.ts';
import { useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { AudienceChoice, audienceNames } from '../../components/audience-choice.tsx';
import { EditorBar } from '../../components/editor-bar.tsx';
import { Field } from '../../components/field.tsx';
import { Markdown } from '../../components/markdown.tsx';
import { type DifferingFact, MergeEdits } from '../../components/merge-edits.tsx';
import { Notice, ProblemNotice } from '../../components/problem-notice.tsx';
import { draftOf, dropDraft, keepDraft, noteDraftName } from '../../data/drafts.ts';
import { useAction } from '../../data/use-action.ts';
import { useSettled } from '../../data/use-settled.ts';
import { t } from '../../language/language.ts';
import { itemPath } from '../../service/paths.ts';
import { isTeamMember } from '../../service/session.ts';
import { changedField, frontMatterOf, withChange } from './front-matter.ts';
import { FrontMatterFields } from './front-matter-fields.tsx';
import { GuestPreview } from './guest-preview.tsx';
import { LazyEditor } from './lazy-editor.tsx';
import { withLineEndsOf, withPlainLineEnds } from './line-ends.ts';
import { MovedNote } from './moved-note.tsx';
import { type StoredNote, saveNote, type WrittenNote } from './save-note.ts';
import styles from './write-page.module.css';

/** Whoever types faster than this is shown one preview. */
const previewMs = 150;

/** What was typed and is not saved yet. The text of `note` has line ends of one kind. */
interface Draft {
  /** The version that it was made from; undefined for a new note. */
  base: StoredNote | undefined;
  note: WrittenNote;
}

type News = 'saved' | 'merged' | 'gone' | undefined;

/** Writes a note, or a new one in a folder. What is typed is kept in this browser until it is saved or discarded. */
export function NoteEditor({ stored, folder }: { stored: StoredNote | undefined; folder: string }) {
  const draftName = noteDraftName(stored?.path);
  const [, navigate] = useLocation();
  const [draft, setDraft] = useState<Draft>(() => draftOf<Draft>(draftName) ?? startFrom(stored, folder));
  const [isResumed, setResumed] = useState(() => draftOf(draftName) !== undefined);
  const [theirs, setTheirs] = useState<StoredNote>();
  const [asks, setAsks] = useState(false);
  const [news, setNews] = useState<News>();
  const [moved, setMoved] = useState<{ from: string; to: string }>();
  const [pathError, setPathError] = useState<string>();
  const newest = useRef(draft);
  newest.current = draft;
  const editor = useRef<((text: string) => void) | undefined>(undefined);
  const { base, note } = draft;
  const isChanged = !isSameNote(draft, startFrom(base, folder).note);

  const keep = (next: Draft) => {
    newest.current = next;
    editor.current?.(next.note.text);
    setDraft(next);
    if (isSameNote(next, startFrom(next.base, folder).note)) dropDraft(draftName);
    else keepDraft(draftName, next);
  };
  const edit = (changes: Partial<WrittenNote>) => {
    setNews(undefined);
    const now = newest.current;
    const text = changes.text ?? now.note.text;
    // Whoever changes the audience in the text has changed it.
    const audience = audienceOf(text);
    const isNews = audience !== undefined && audience !== audienceOf(now.note.text) && isTeamMember();
    const tier = changes.tier ?? (isNews ? audience : now.note.tier);
    keep({ base: now.base, note: { path: changes.path ?? now.note.path, text, tier } });
  };
  const chooseAudience = (tier: WrittenNote['tier']) => {
    const { text } = newest.current.note;
    const field = frontMatterOf(text).fields.find(({ name }) => name.toLowerCase() === 'audience');
    // A text that says something else would undo the choice with the next push from a laptop.
    edit({ tier, text: field === undefined ? text : withChange(text, changedField(field, tier)) });
  };
  const save = useAction(async () => {
    const { note: sent } = newest.current;
    const written = {
      ...sent,
      path: sent.path === base?.path ? sent.path : newPath(sent.path),
      text: withLineEndsOf(base?.text ?? '', sent.text),
    };
    const outcome = await saveNote(base, written);
    if (outcome.kind === 'conflict') return setTheirs(outcome.theirs);
    if (outcome.kind === 'gone') {
      // Edits win, for the team alone: whoever removed it may not want guests to see it.
      keep({ base: undefined, note: { ...newest.current.note, tier: isTeamMember() ? 'team' : 'external' } });
      return setNews('gone');
    }
    const { path, checksum, tier, text } = outcome.note;
    if (path !== base?.path) {
      dropDraft(draftName);
      return base === undefined ? navigate(itemPath(path)) : setMoved({ from: base.path, to: path });
    }
    const now = newest.current.note;
    const isTypedOn = now.text !== sent.text;
    // What was typed meanwhile on top of a merge is merged with it by the next save.
    if (!(isTypedOn && outcome.isMerged)) {
      keep({
        base: { path, checksum, tier, text, updatedBy: '', updatedAt: '' },
        note: { path: now.path, tier, text: isTypedOn ? now.text : withPlainLineEnds(text) },
      });
    }
    setNews(outcome.isMerged ? 'merged' : 'saved');
  });
  const submit = () => {
    const fault = pathFault(note.path);
    setPathError(fault);
    if (fault !== undefined || !isChanged) return;
    if (note.tier === 'external' && base?.tier !== 'external' && isTeamMember()) setAsks(true);
    else save.run();
  };
  const leave = () => {
    dropDraft(draftName);
    navigate(
      stored === undefined ? itemPath(folder).replace(/\/$/, '') : itemPath(base?.path ?? stored.path),
    );
  };
  if (moved !== undefined)
    return <MovedNote from={moved.from} to={moved.to} onDone={() => navigate(itemPath(moved.to))} />;
  if (theirs !== undefined && base !== undefined) {
    return (
      <MergeEdits
        author={theirs.updatedBy}
        at={theirs.updatedAt}
        facts={differingFacts(base, theirs, note)}
        texts={{ base: base.text, theirs: theirs.text, mine: withLineEndsOf(base.text, note.text) }}
        onMerged={({ text, facts }) => {
          const tier = facts.get('tier') === 'mine' ? note.tier : theirs.tier;
          keep({ base: theirs, note: { path: note.path, tier, text: withPlainLineEnds(text) } });
          setTheirs(undefined);
        }}
      />
    );
  }
  return (
    <form
      class={styles.form}
      noValidate
      aria-label={stored === undefined ? t('A new note') : t('The note')}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={(event) => {
        if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
        event.preventDefault();
        submit();
      }}
    >
      {isResumed && isChanged && (
        <Notice>
          <p>{t('Here is what you wrote before and did not save. Nobody else has seen it.')}</p>
        </Notice>
      )}
      <Field
        label={t('Path')}
        value={note.path}
        placeholder="notes/harbour.md"
        spellcheck={false}
        error={pathError}
        hint={
          stored !== undefined && note.path !== stored.path
            ? t('Saving moves it here from {path}. Then you choose whether links in other notes follow.', {
                path: stored.path,
              })
            : undefined
        }
        onInput={(event) => edit({ path: event.currentTarget.value })}
      />
      <FrontMatterFields text={note.text} onChange={(text) => edit({ text })} />
      <div class={styles.columns}>
        <div class={styles.editor}>
          <LazyEditor
            label={t('Text')}
            text={note.text}
            path={note.path}
            control={editor}
            onChange={(text) => {
              if (text !== newest.current.note.text) edit({ text });
            }}
          />
          <p class={styles.hint}>
            {t('Markdown. {code} links to another note. Ctrl-S saves.', { code: <code>[[</code> })}
          </p>
        </div>
        <Preview note={note} />
      </div>
      {isTeamMember() && <AudienceChoice value={note.tier} onChange={chooseAudience} />}
      <ProblemNotice problem={save.problem} />
      <EditorBar
        state={stateWords(base, note, isChanged, news)}
        leave={t('Close')}
        save={stored === undefined ? t('Create note') : t('Save')}
        isChanged={isChanged}
        isBusy={save.isRunning}
        onLeave={() => {
          setResumed(false);
          leave();
        }}
      />
      {asks && (
        <GuestPreview
          note={note}
          onClose={() => setAsks(false)}
          onConfirm={() => {
            setAsks(false);
            save.run();
          }}
        />
      )}
    </form>
  );
}

function Preview({ note: { path, text } }: { note: WrittenNote }) {
  const shown = useSettled(text, previewMs);
  const body = shown.slice(frontMatterOf(shown).bodyFrom);
  return (
    <section class={styles.preview} aria-label={t('Preview')}>
      <h2 class="visually-hidden">{t('Preview')}</h2>
      {body.trim() === '' ? <p>{t('There is no text yet.')}</p> : <Markdown text={body} rowKey={path} />}
    </section>
  );
}

function startFrom(base: StoredNote | undefined, folder: string): Draft {
  if (base !== undefined) {
    return { base, note: { path: base.path, tier: base.tier, text: withPlainLineEnds(base.text) } };
  }
  const tier = isTeamMember() ? 'team' : 'external';
  return { base, note: { path: folder === '' ? '' : `${folder}/`, tier, text: '' } };
}

function isSameNote({ note }: Draft, other: WrittenNote): boolean {
  return note.path === other.path && note.text === other.text && note.tier === other.tier;
}

/** The audience that a text names; undefined if it names none, or none that there is. */
function audienceOf(text: string): WrittenNote['tier'] | undefined {
  const field = frontMatterOf(text).fields.find(({ name }) => name.toLowerCase() === 'audience');
  try {
    const tier = frontmatterTier({ audience: field?.value });
    return tier === 'team' || tier === 'external' ? tier : undefined;
  } catch {
    return undefined;
  }
}

/** A path without an ending gets that of Markdown: other files do not come to laptops. */
function newPath(path: string): string {
  const trimmed = path.trim().normalize('NFC');
  return /\.(?:md|markdown)$/i.test(trimmed) ? trimmed : `${trimmed}.md`;
}

function pathFault(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).trim();
  return name === '' ? t('A note needs a name, such as notes/harbour.md.') : undefined;
}

function differingFacts(base: StoredNote, theirs: StoredNote, mine: WrittenNote): DifferingFact[] {
  if (theirs.tier === mine.tier) return [];
  const suggested = mine.tier === base.tier ? 'theirs' : 'mine';
  const label = t('Who will see it');
  return [
    { name: 'tier', label, theirs: audienceNames[theirs.tier], mine: audienceNames[mine.tier], suggested },
  ];
}

function stateWords(
  base: StoredNote | undefined,
  { tier }: WrittenNote,
  isChanged: boolean,
  news: News,
): string {
  if (news === 'gone') return t('Somebody removed this note meanwhile. Save again to make it anew.');
  if (!isChanged) {
    const words = {
      saved: t('Saved.'),
      merged: t('Saved, together with what somebody else wrote meanwhile.'),
    };
    return news === undefined ? '' : words[news];
  }
  if (base?.tier === 'external' && tier === 'team') return t('Guests lose sight of it as soon as you save.');
  return tier === 'external'
    ? t('The team and its guests see it as soon as you save. Kept in this browser until then.')
    : t('The team sees it as soon as you save. Kept in this browser until then.');
}
