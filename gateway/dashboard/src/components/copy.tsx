import { useState } from 'preact/hooks';
import { t } from '../language/language.ts';
import { Button } from './button.tsx';
import styles from './copy.module.css';

/** How long the button says that it has copied. */
const confirmedMs = 2_000;

/** A button that copies a text. `label` says what, such as "Copy path". */
export function CopyButton({
  text,
  label,
  isQuiet = false,
}: {
  text: string;
  label: string;
  isQuiet?: boolean;
}) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready');
  const copy = async () => {
    const succeeded = await copyText(text);
    setState(succeeded ? 'copied' : 'failed');
    setTimeout(() => setState('ready'), confirmedMs);
  };
  const words = { ready: label, copied: t('Copied'), failed: t('Select it and copy by hand') }[state];
  return (
    <Button
      kind={isQuiet ? 'quiet' : 'secondary'}
      icon={state === 'copied' ? 'check' : 'copy'}
      onClick={copy}
    >
      <span aria-live="polite">{words}</span>
    </Button>
  );
}

/** A command to paste into a terminal, with a button that copies it. */
export function Command({ text }: { text: string }) {
  return (
    <div class={styles.command}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long command scrolls, also by keyboard. */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={t('Copy')} isQuiet />
    </div>
  );
}

/** Browsers offer the clipboard over HTTPS and on this machine only. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
