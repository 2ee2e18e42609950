import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { Button } from '../components/button.tsx';
import { t } from '../language/language.ts';
import { PaletteButton, PaletteDoor } from '../palette/palette-door.tsx';
import { session } from '../service/session.ts';
import { ConnectionNotice } from './connection-notice.tsx';
import styles from './layout.module.css';
import { Navigation } from './navigation.tsx';

/** The frame around every page: the list of pages beside it, or behind a button on a narrow screen. */
export function Layout({ children }: { children: ComponentChildren }) {
  const [path] = useLocation();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    if (!isOpen) return;
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setOpen(false);
    };
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [isOpen]);
  return (
    <div class={styles.layout}>
      <a class={styles.skip} href="#main">
        {t('Skip to the page')}
      </a>
      <header class={styles.bar}>
        <Button
          kind="quiet"
          icon={isOpen ? 'close' : 'menu'}
          aria-label={isOpen ? t('Close the list of pages') : t('Show the list of pages')}
          aria-expanded={isOpen}
          aria-controls="pages"
          onClick={() => setOpen(!isOpen)}
        />
        <strong>{session.value?.team}</strong>
        <PaletteButton isIconOnly />
      </header>
      <aside
        id="pages"
        aria-label={t('Team, pages and account')}
        class={`${styles.side} ${isOpen ? styles.open : ''}`}
      >
        <Navigation />
      </aside>
      <main id="main" class={styles.main} tabIndex={-1}>
        <ConnectionNotice />
        {children}
      </main>
      <PaletteDoor />
    </div>
  );
}
