// A modal dialog. The browser keeps the focus inside, closes the dialog on Escape, and restores the focus.

import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { LiveRegion } from './announce.tsx';

export interface DialogProps {
  /** The name for screen readers. */
  readonly label: string;
  readonly kind: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function Dialog({ label, kind, onClose, children }: DialogProps): JSX.Element {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    element.current?.showModal();
  }, []);
  return (
    <dialog
      ref={element}
      class={`dialog ${kind}`}
      aria-label={label}
      onClose={onClose}
      onClick={({ target, currentTarget }) => {
        // A click on the dialog itself is outside of its content.
        if (target === currentTarget) currentTarget.close();
      }}
    >
      <div class="dialog-body">{children}</div>
      <LiveRegion />
    </dialog>
  );
}
