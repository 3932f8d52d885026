import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { announce } from './announce.tsx';
import { Icon } from './icon.tsx';

const SHOWN_MS = 1_500;

/** With `what` as `command`, the button is called "Copy command". */
export function CopyButton({
  text,
  what,
}: {
  readonly text: string;
  readonly what: string;
}): JSX.Element {
  const isDone = useSignal(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      announce('The browser does not let this page copy.');
      return;
    }
    isDone.value = true;
    announce(`Copied the ${what}.`);
    setTimeout(() => {
      isDone.value = false;
    }, SHOWN_MS);
  };
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={`Copy ${what}`}
      title={`Copy ${what}`}
      onClick={() => void copy()}
    >
      <Icon name={isDone.value ? 'check' : 'copy'} />
    </button>
  );
}
