import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { ProblemNotice } from '../components/problem-notice.tsx';
import { useRequest } from '../data/use-request.ts';
import { loadTexts, t } from '../language/language.ts';

const isOpen = signal(false);
const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
/** Where `/` is a character that somebody types. */
const fields = 'input, textarea, select, [contenteditable="true"], [role="textbox"]';

/** Opens the palette with Ctrl-K (⌘K on a Mac), and with `/` while no field has the focus. It is loaded when it is opened. */
export function PaletteDoor() {
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      // The focus inside the editor of notes is told by the path of the event only.
      const [target] = event.composedPath();
      const isTyping = target instanceof Element && target.closest(fields) !== null;
      const isCtrlK = event.key.toLowerCase() === 'k' && (isApple ? event.metaKey : event.ctrlKey);
      const isSlash = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!isCtrlK && !isSlash) return;
      // A dialog asks something that comes first.
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      isOpen.value = true;
    };
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, []);
  return isOpen.value ? <LazyPalette /> : null;
}

/** Opens the palette for whoever has a mouse, or no keyboard. */
export function PaletteButton({ isIconOnly = false }: { isIconOnly?: boolean }) {
  const open = () => {
    isOpen.value = true;
  };
  if (isIconOnly) return <Button kind="quiet" icon="search" aria-label={t('Find or do')} onClick={open} />;
  return (
    <Button icon="search" aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'} onClick={open}>
      {t('Find or do {command}', { command: <kbd>{isApple ? '⌘K' : 'Ctrl K'}</kbd> })}
    </Button>
  );
}

function LazyPalette() {
  const { value, problem, reload } = useRequest(() => loadTexts().then(() => import('./palette.tsx')), []);
  useEffect(
    () => () => {
      isOpen.value = false;
    },
    [],
  );
  if (value === undefined) return <ProblemNotice problem={problem} onRetry={reload} />;
  const close = () => {
    isOpen.value = false;
  };
  return <value.default onClose={close} />;
}
