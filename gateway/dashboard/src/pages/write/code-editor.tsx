import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { defineLanguageFacet, HighlightStyle, Language, syntaxHighlighting } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'preact/hooks';
import { linkCompletion } from './link-completion.ts';
import { markdownParser } from './moved-links.ts';

// The package for Markdown would bring parsers of HTML, CSS and JavaScript, which are twice as large as all the rest.
const markdown = new Language(defineLanguageFacet(), markdownParser, [], 'markdown');

const highlight = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '700' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'var(--accent)' },
  { tag: [tags.processingInstruction, tags.labelName, tags.contentSeparator], color: 'var(--text-muted)' },
]);

const theme = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: '0.875rem' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-code)', lineHeight: '1.6' },
  '.cm-content': { minHeight: '20rem', padding: 'var(--space-3)', caretColor: 'var(--text)' },
  '.cm-tooltip': {
    border: '1px solid var(--border)',
    borderRadius: 'var(--radius-small)',
    backgroundColor: 'var(--surface-raised)',
    color: 'var(--text)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font)', maxHeight: '14rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: 'var(--space-1) var(--space-2)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
  },
  '.cm-completionDetail': { color: 'inherit' },
});

/**
 * An editor of Markdown. It stands in a shadow root, where its styles are objects rather than elements: the policy of the
 * page allows no style elements.
 */
export default function CodeEditor({
  label,
  text,
  path,
  control,
  onChange,
}: {
  label: string;
  /** What it begins with; line ends are of one kind. */
  text: string;
  /** Of the note that is written: links begin there. */
  path: string;
  /** Gets what gives the editor another text; the cursor stays where it can. */
  control: { current: ((text: string) => void) | undefined };
  onChange: (text: string) => void;
}) {
  const host = useRef<HTMLDivElement>(null);
  const newest = useRef({ path, onChange });
  newest.current = { path, onChange };
  useEffect(() => {
    const root = host.current?.shadowRoot ?? host.current?.attachShadow({ mode: 'open' });
    if (root === undefined) return;
    const complete = linkCompletion(() => newest.current.path);
    const editor = new EditorView({
      root,
      parent: root,
      doc: text,
      extensions: [
        history(),
        keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
        autocompletion({ override: [complete], icons: false }),
        markdown,
        syntaxHighlighting(highlight),
        theme,
        EditorView.lineWrapping,
        EditorView.perLineTextDirection.of(true),
        EditorState.allowMultipleSelections.of(true),
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'true', dir: 'auto' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) newest.current.onChange(update.state.doc.toString());
        }),
      ],
    });
    control.current = (next) => {
      const shown = editor.state.doc.toString();
      if (shown !== next) editor.dispatch({ changes: differenceOf(shown, next) });
    };
    return () => {
      control.current = undefined;
      editor.destroy();
    };
  }, []);
  return <div ref={host} />;
}

/** What changes one text into another: the part between what they have in common at both ends, so that the cursor stays. */
function differenceOf(before: string, after: string): { from: number; to: number; insert: string } {
  const shortest = Math.min(before.length, after.length);
  let from = 0;
  while (from < shortest && before[from] === after[from]) from += 1;
  let end = 0;
  while (end < shortest - from && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}
