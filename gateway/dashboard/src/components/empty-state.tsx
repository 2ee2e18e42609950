import type { ComponentChildren } from 'preact';
import { Command } from './copy.tsx';
import styles from './empty-state.module.css';
import { Icon, type IconName } from './icon.tsx';

/** What a page shows while there is nothing to show: why, and what to do first. */
export function EmptyState({
  icon,
  title,
  children,
  command,
  action,
}: {
  icon?: IconName;
  title: string;
  children?: ComponentChildren;
  /** A command to paste into a terminal. */
  command?: string;
  /** A button, where the page itself can do it. */
  action?: ComponentChildren;
}) {
  return (
    <div class={styles.empty}>
      {icon !== undefined && (
        <span class={styles.icon}>
          <Icon name={icon} size={24} />
        </span>
      )}
      <h2>{title}</h2>
      {children !== undefined && <div class={styles.text}>{children}</div>}
      {command !== undefined && <Command text={command} />}
      {action}
    </div>
  );
}
