import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import styles from './button.module.css';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'icon' | 'type' | 'disabled'> {
  /** `primary` is what most people want next; `danger` removes or ends something; `quiet` has no frame. */
  kind?: 'primary' | 'secondary' | 'quiet' | 'danger';
  icon?: IconName;
  type?: 'button' | 'submit';
  disabled?: boolean;
  /** Under way: says so to screen readers and does nothing when pressed. */
  isBusy?: boolean;
  children?: ComponentChildren;
}

/** A button. One that shows an icon alone needs `aria-label`. */
export function Button({
  kind = 'secondary',
  icon,
  type = 'button',
  isBusy = false,
  disabled = false,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      class={`${styles.button} ${styles[kind]} ${children === undefined ? styles.iconOnly : ''}`}
      disabled={disabled}
      aria-disabled={isBusy ? 'true' : undefined}
      aria-busy={isBusy ? 'true' : undefined}
      onClick={isBusy ? (event: Event) => event.preventDefault() : onClick}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}
