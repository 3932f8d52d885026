// A bar on every view except Waiting itself, if something waits for an answer.

import type { JSX } from 'preact';
import { useConsole } from '../store/context.ts';
import { counted } from '../text/numbers.ts';
import { Text } from '../text/text.tsx';
import { Icon } from '../ui/icon.tsx';
import { addressOf } from '../ui/route.ts';

export function WaitingBar({ current }: { readonly current: string }): JSX.Element | null {
  const { store } = useConsole();
  const waiting = store.waiting.value;
  const [first] = waiting;
  if (first === undefined || current === 'waiting') return null;
  const what = first.kind === 'approval' ? `${first.server}/${first.tool}` : first.server;
  return (
    <a class="waiting-bar" href={addressOf('waiting')}>
      <Icon name="waiting" />
      <span>
        {counted(waiting.length, 'answer wanted', 'answers wanted')}: <Text of={what} />
        {waiting.length > 1 && ` and ${waiting.length - 1} more`}
      </span>
      <span class="spacer" />
      <span class="waiting-bar-key">
        Answer <kbd aria-hidden="true">g</kbd> <kbd aria-hidden="true">w</kbd>
      </span>
    </a>
  );
}
