// What a person who does not see the page has to hear at once: what began to wait, what was answered, what went wrong.

import { signal } from '@preact/signals';
import type { JSX } from 'preact';

const said = signal('');

export function announce(text: string): void {
  // The same words twice in a row are news twice.
  said.value = said.peek() === text ? `${text}\u00A0` : text;
}

export function Announcer(): JSX.Element {
  return (
    <div class="unseen" role="status" aria-live="polite">
      {said.value}
    </div>
  );
}
