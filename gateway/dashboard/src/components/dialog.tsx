import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { Action } from '../data/use-action.ts';
import { t } from '../language/language.ts';
import type { Problem } from '../service/problem.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import fields from './field.module.css';
import { ProblemNotice } from './problem-notice.tsx';

/**
 * A window over the page, until it is closed: by its button, by Escape, or by what is in it. While it is open the page
 * behind it cannot be reached; when it closes, the focus returns to where it was.
 */
export function Dialog({
  title,
  isWide = false,
  onClose,
  children,
  actions,
}: {
  title: string;
  isWide?: boolean;
  /** Without it the dialog stays until what it asks for is done. */
  onClose?: () => void;
  children: ComponentChildren;
  /** Buttons at the end, the most wanted last. */
  actions?: ComponentChildren;
}) {
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    // The browser would choose the button that closes it.
    const first = content.current?.querySelector<HTMLElement>('input, select, textarea') ?? heading.current;
    first?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={`${styles.dialog} ${isWide ? styles.wide : ''}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <header class={styles.header}>
        <h2 id={id} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {onClose !== undefined && (
          <Button kind="quiet" icon="close" aria-label={t('Close')} onClick={onClose} />
        )}
      </header>
      <div ref={content} class={styles.content}>
        {children}
      </div>
      {actions !== undefined && <footer class={styles.actions}>{actions}</footer>}
    </dialog>
  );
}

/** Asks whether to do something that cannot simply be undone; `children` say what it causes. */
export function ConfirmDialog({
  title,
  confirm,
  isDanger = true,
  isWide = false,
  isBusy = false,
  problem,
  onConfirm,
  onClose,
  children,
}: {
  title: string;
  /** What the button says: the act itself, such as "Revoke key". */
  confirm: string;
  isDanger?: boolean;
  isWide?: boolean;
  isBusy?: boolean;
  problem?: Problem | undefined;
  onConfirm: () => void;
  onClose: () => void;
  children: ComponentChildren;
}) {
  return (
    <Dialog
      title={title}
      isWide={isWide}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button kind={isDanger ? 'danger' : 'primary'} isBusy={isBusy} onClick={onConfirm}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
      <ProblemNotice problem={problem} />
    </Dialog>
  );
}

/** Asks whether to do something, and does it. */
export function ConfirmAction({
  action,
  onDone,
  ...asked
}: {
  action: Action<void>;
  /** Called once it has succeeded. */
  onDone?: () => void;
} & Omit<Parameters<typeof ConfirmDialog>[0], 'isBusy' | 'problem' | 'onConfirm'>) {
  return (
    <ConfirmDialog
      {...asked}
      isBusy={action.isRunning}
      problem={action.problem}
      onConfirm={async () => {
        if (await action.run()) onDone?.();
      }}
    />
  );
}

/** Asks for a few values and does something with them, by its button or by Enter in a field. */
export function FormDialog({
  title,
  submit,
  action,
  isReady = true,
  onDone,
  onClose,
  children,
}: {
  title: string;
  /** What the button says: the act itself, such as "Add member". */
  submit: string;
  action: Action<void>;
  /** Whether the values can be sent. */
  isReady?: boolean;
  /** Called once it has succeeded. */
  onDone?: () => void;
  onClose: () => void;
  /** The fields. */
  children: ComponentChildren;
}) {
  const id = useId();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button kind="primary" type="submit" form={id} isBusy={action.isRunning} disabled={!isReady}>
            {submit}
          </Button>
        </>
      }
    >
      <form
        id={id}
        class={fields.form}
        onSubmit={async (event) => {
          event.preventDefault();
          if (isReady && (await action.run())) onDone?.();
        }}
      >
        {children}
        <ProblemNotice problem={action.problem} />
      </form>
    </Dialog>
  );
}
