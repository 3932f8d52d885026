// A dialog over the page. The browser keeps the focus inside, closes it by Escape and gives the focus back.

import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Said } from './announce.tsx';

export interface DialogProps {
  /** For screen readers, and as its title where it shows one. */
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
        // The dialog itself is only hit beside what is in it.
        if (target === currentTarget) currentTarget.close();
      }}
    >
      <div class="dialog-body">{children}</div>
      <Said />
    </dialog>
  );
}
