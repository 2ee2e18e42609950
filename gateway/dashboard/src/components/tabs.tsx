import styles from './tabs.module.css';

/** Chooses between a few views. The arrow keys move between them, as in every list of tabs. */
export function Tabs<Name extends string>({
  label,
  tabs,
  selected,
  onSelect,
}: {
  /** For screen readers: what is chosen between. */
  label: string;
  tabs: readonly { name: Name; label: string }[];
  selected: Name;
  onSelect: (name: Name) => void;
}) {
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const index = tabs.findIndex(({ name }) => name === selected);
    const next = tabs[(index + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    onSelect(next.name);
    const list = event.currentTarget as HTMLElement;
    list.querySelector<HTMLElement>(`[data-tab="${next.name}"]`)?.focus();
  };
  return (
    <div class={styles.tabs} role="tablist" aria-label={label} tabIndex={-1} onKeyDown={move}>
      {tabs.map(({ name, label: text }) => (
        <button
          key={name}
          type="button"
          role="tab"
          data-tab={name}
          aria-selected={name === selected}
          tabIndex={name === selected ? 0 : -1}
          class={styles.tab}
          onClick={() => onSelect(name)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
