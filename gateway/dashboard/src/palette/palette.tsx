import { useEffect, useMemo, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { Dialog } from '../components/dialog.tsx';
import { Icon } from '../components/icon.tsx';
import { ProblemNotice } from '../components/problem-notice.tsx';
import { useRequest } from '../data/use-request.ts';
import { useSettled } from '../data/use-settled.ts';
import { t } from '../language/language.ts';
import { type Entry, type EntryGroup, entriesFor } from './entries.ts';
import {
  actionEntries,
  decisionEntries,
  findNotes,
  pageEntries,
  peopleEntries,
  projectEntries,
  readLists,
  searchTexts,
  taskEntries,
} from './lists.ts';
import styles from './palette.module.css';

/** Entries of a group. */
const shownEntries = 5;
/** Whoever types faster than this is searched for once. */
const typingMs = 200;
const listId = 'palette-entries';

/** Finds what the team has by a few letters, and leads there by keyboard alone. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const words = typed.trim();
  const { groups, problem, isComplete, reload } = useGroups(words);
  const entries = groups.flatMap((group) => group.entries);
  const index = Math.min(chosen, entries.length - 1);
  useEffect(() => document.getElementById(optionId(index))?.scrollIntoView({ block: 'nearest' }), [index]);

  function open(entry: Entry | undefined): void {
    if (entry === undefined) return;
    onClose();
    navigate(entry.path);
  }

  function press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.isComposing || (step === undefined && event.key !== 'Enter')) return;
    event.preventDefault();
    if (step === undefined) open(entries[index]);
    else setChosen((index + step + entries.length) % Math.max(1, entries.length));
  }

  return (
    <Dialog title={t('Find or do')} onClose={onClose}>
      <input
        type="text"
        class={styles.input}
        role="combobox"
        aria-label={t('Words of a title, a path, a text, or a page')}
        aria-expanded={entries.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={entries.length > 0 ? optionId(index) : undefined}
        autocomplete="off"
        spellcheck={false}
        maxLength={200}
        placeholder={t('Notes, decisions, tasks, projects, people, pages')}
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={press}
      />
      <p class="visually-hidden" role="status">
        {isComplete ? t('{count} found', { count: entries.length }) : t('Searching')}
      </p>
      <ProblemNotice problem={problem} onRetry={reload} />
      <Entries groups={groups} index={index} onOpen={open} />
    </Dialog>
  );
}

/** What fits the words, as far as it is known. */
function useGroups(words: string): {
  groups: EntryGroup[];
  problem: ReturnType<typeof useRequest>['problem'];
  isComplete: boolean;
  reload: () => void;
} {
  const lists = useRequest(readLists, []);
  const settled = useSettled(words, typingMs);
  const notes = useRequest((signal) => findNotes(settled, signal), [settled]);
  const texts = useRequest((signal) => searchTexts(settled, signal), [settled]);
  const { tasks = [], decisions = [], projects = [] } = lists.value ?? {};
  const known = useMemo(
    () => ({
      Notes: notes.value ?? [],
      Decisions: decisionEntries(decisions),
      Tasks: taskEntries(tasks),
      Projects: projectEntries(projects),
      People: peopleEntries(tasks),
    }),
    [notes.value, lists.value],
  );
  const fit = (entries: readonly Entry[]) =>
    entriesFor(entries, words, words === '' ? entries.length : shownEntries);
  const named =
    words === ''
      ? []
      : Object.entries(known).map(([heading, entries]) => ({ heading, entries: fit(entries) }));
  const told = new Set(named.flatMap(({ entries }) => entries.map(({ key }) => key)));
  const groups = [
    { heading: t('Pages'), entries: fit(pageEntries()) },
    ...named,
    {
      heading: t('In the text'),
      entries:
        words === '' ? [] : (texts.value ?? []).filter(({ key }) => !told.has(key)).slice(0, shownEntries),
    },
    // What takes the words themselves fits any words.
    { heading: t('Actions'), entries: fit(actionEntries(words)) },
  ].filter(({ entries }) => entries.length > 0);
  return {
    groups,
    problem: lists.problem ?? notes.problem ?? texts.problem,
    isComplete: lists.value !== undefined && settled === words && !notes.isLoading && !texts.isLoading,
    reload: () => {
      lists.reload();
      notes.reload();
      texts.reload();
    },
  };
}

function Entries({
  groups,
  index,
  onOpen,
}: {
  groups: readonly EntryGroup[];
  /** Of the chosen entry, over all groups. */
  index: number;
  onOpen: (entry: Entry) => void;
}) {
  let count = 0;
  return (
    <div id={listId} role="listbox" aria-label={t('What fits')} class={styles.results}>
      {groups.map(({ heading, entries }) => (
        // biome-ignore lint/a11y/useSemanticElements: a list of options has no fieldsets.
        <div key={heading} role="group" aria-label={heading}>
          <p class={styles.heading} aria-hidden="true">
            {heading}
          </p>
          {entries.map((entry) => {
            const at = count;
            count += 1;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the keys are those of the field.
              <div
                key={entry.key}
                id={optionId(at)}
                role="option"
                aria-selected={at === index}
                class={`${styles.entry} ${at === index ? styles.chosen : ''}`}
                onClick={() => onOpen(entry)}
              >
                <Icon name={entry.icon} />
                <span class={styles.title} dir="auto">
                  {entry.title}
                </span>
                <span class={styles.detail}>{entry.detail}</span>
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

function optionId(index: number): string {
  return `palette-entry-${index}`;
}
