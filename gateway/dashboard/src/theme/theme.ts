import { effect, signal } from '@preact/signals';

/** The colours that somebody chose; `system` follows the browser. */
export type Theme = 'system' | 'light' | 'dark';

const name = 'theme';

/** The colours of this browser; the choice stays in it. */
export const theme = signal<Theme>(stored());

effect(() => {
  const chosen = theme.value;
  if (chosen === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
  try {
    localStorage.setItem(name, chosen);
  } catch {
    // It lasts as long as the page.
  }
});

function stored(): Theme {
  try {
    const value = localStorage.getItem(name);
    return value === 'light' || value === 'dark' ? value : 'system';
  } catch {
    return 'system';
  }
}
