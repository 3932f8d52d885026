// What a person who does not see the page has to hear at once: what began to wait, what was answered, what went wrong. What went wrong
// with something that has no place of its own on the page is seen for a while, too.

import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { Text } from '../text/text.tsx';
import { Icon } from './icon.tsx';

const SEEN_MS = 10_000;

const said = signal('');
const seen = signal('');
let hiding: ReturnType<typeof setTimeout> | undefined;

export function announce(text: string): void {
  // The same words twice in a row are news twice.
  said.value = said.peek() === text ? `${text}\u00A0` : text;
}

/** Says it aloud, and shows it. */
export function complain(text: string): void {
  announce(text);
  seen.value = text;
  clearTimeout(hiding);
  hiding = setTimeout(hide, SEEN_MS);
}

function hide(): void {
  seen.value = '';
}

export function Announcer(): JSX.Element {
  return (
    <>
      <div class="unseen" role="status" aria-live="polite">
        {said.value}
      </div>
      {seen.value !== '' && (
        <section class="notice toast tone-bad" aria-label="What went wrong">
          <Icon name="alert" />
          <span class="notice-text">
            <Text of={seen.value} />
          </span>
          <button type="button" class="icon-button" aria-label="Hide this" onClick={hide}>
            <Icon name="cross" />
          </button>
        </section>
      )}
    </>
  );
}
