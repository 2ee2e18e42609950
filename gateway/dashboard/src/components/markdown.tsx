import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Problem } from '../service/problem.ts';
import styles from './markdown.module.css';
import { ProblemNotice } from './problem-notice.tsx';
import { Skeleton } from './skeleton.tsx';

type Renderer = typeof import('./render-markdown.ts');

/** Loaded with the first text that is shown: the parser and the sanitiser are larger than most pages. */
let loading: Promise<Renderer> | undefined;

/**
 * Shows Markdown that somebody wrote. Nothing in it runs, and it loads nothing. `highlight` is a passage of the text, as
 * Markdown or as it reads; it is marked and scrolled to.
 */
export function Markdown({
  text,
  highlight = '',
  onRendered,
}: {
  text: string;
  highlight?: string;
  /** Called with the element each time the text was put into it. Another function renders the text anew. */
  onRendered?: (element: HTMLElement) => void;
}) {
  const [renderer, setRenderer] = useState<Renderer>();
  const [failed, setFailed] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    loading ??= import('./render-markdown.ts');
    loading.then(setRenderer, () => {
      loading = undefined;
      setFailed(true);
    });
  }, []);
  useLayoutEffect(() => {
    if (renderer === undefined || element.current === null) return;
    renderer.renderMarkdown(element.current, text);
    onRendered?.(element.current);
    if (highlight !== '') renderer.markPassage(element.current, highlight);
  }, [renderer, text, highlight, onRendered]);
  if (failed) {
    return (
      <ProblemNotice problem={new Problem('unavailable', 'The text could not be shown. Reload the page.')} />
    );
  }
  if (renderer === undefined) return <Skeleton lines={6} />;
  return <div ref={element} class={styles.markdown} />;
}
