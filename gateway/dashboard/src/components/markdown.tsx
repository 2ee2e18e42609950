import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { t } from '../language/language.ts';
import { Problem } from '../service/problem.ts';
import styles from './markdown.module.css';
import { ProblemNotice } from './problem-notice.tsx';
import { Skeleton } from './skeleton.tsx';

type Renderer = typeof import('./render-markdown.ts');

/** Loaded with the first text that is shown: the parser and the sanitiser are larger than most pages. */
let loading: Promise<Renderer> | undefined;

/**
 * Shows Markdown that somebody wrote. Nothing in it runs, and it loads nothing. `highlight` is a passage of the text, as
 * Markdown or as it reads, and `line` a line of it; each is marked and scrolled to.
 */
export function Markdown({
  text,
  highlight = '',
  line = 0,
  rowKey = '',
  onRendered,
}: {
  text: string;
  highlight?: string;
  /** From 1; 0 for none. */
  line?: number;
  /** The item whose text it is: relative links begin there. */
  rowKey?: string;
  /** Called with the element each time the text was put into it. Another function renders the text anew. */
  onRendered?: (element: HTMLElement) => void;
}) {
  const [renderer, setRenderer] = useState<Renderer>();
  const [failed, setFailed] = useState(false);
  const [, navigate] = useLocation();
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    loading ??= import('./render-markdown.ts');
    loading.then(setRenderer, () => {
      loading = undefined;
      setFailed(true);
    });
  }, []);
  useLayoutEffect(() => {
    const { current } = element;
    if (renderer === undefined || current === null) return;
    const left = new AbortController();
    const { signal } = left;
    async function show(shown: HTMLElement, { renderMarkdown, markPassage, markLine }: Renderer) {
      await renderMarkdown(shown, text, { rowKey, signal });
      if (signal.aborted) return;
      onRendered?.(shown);
      if (highlight !== '') await markPassage(shown, highlight, signal);
      else if (line > 0) markLine(shown, line);
      else scrollToAnchor(shown);
    }
    show(current, renderer).catch(() => setFailed(true));
    return () => left.abort();
  }, [renderer, text, highlight, line, rowKey, onRendered]);
  if (failed) {
    return (
      <ProblemNotice
        problem={new Problem('unavailable', t('The text could not be shown. Reload the page.'))}
      />
    );
  }
  if (renderer === undefined) return <Skeleton lines={6} />;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: links are what is clicked, also by keyboard.
    <div
      ref={element}
      class={styles.markdown}
      onClick={(event) => {
        const path = pathWithin(event);
        if (path === undefined) return;
        event.preventDefault();
        navigate(path);
      }}
    />
  );
}

/** The path that a click on a link to another page of the dashboard leads to; such a page needs no new start. */
function pathWithin(event: MouseEvent): string | undefined {
  const link = (event.target as Element).closest('a');
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (link === null || !isPlain || link.target !== '' || link.origin !== location.origin) return undefined;
  if (link.pathname === location.pathname) return undefined;
  return link.pathname + link.search + link.hash;
}

/** A heading that the address names is there only now. */
function scrollToAnchor(element: HTMLElement): void {
  const { hash } = location;
  for (const heading of element.querySelectorAll('[id]')) {
    if (hash === `#${heading.id}` || hash === `#${encodeURIComponent(heading.id)}`) heading.scrollIntoView();
  }
}
