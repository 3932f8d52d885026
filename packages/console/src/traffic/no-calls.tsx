// Shown instead of an empty list of calls: how to get calls.

import type { JSX } from 'preact';
import { useConsole } from '../store/context.ts';
import { Text } from '../text/text.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { addressOf } from '../ui/route.ts';

/** `isFiltered`: there are calls, but none matches the filter. */
export function NoCalls({ isFiltered }: { readonly isFiltered: boolean }): JSX.Element {
  const { store } = useConsole();
  const url = store.gateway.value?.url ?? '';
  const install = `plugboard install claude-code --http ${URL.canParse(url) ? new URL(url).host : ''}`;
  if (isFiltered) {
    return <p class="empty no-calls">No call fits the filter.</p>;
  }
  return (
    <div class="empty no-calls">
      <p>Calls appear here as clients make them, and as you make them here.</p>
      <p>
        To see one now, <a href={addressOf('tools')}>run a tool</a>.
      </p>
      <p>
        Clients connect to{' '}
        <code>
          <Text of={url} />
        </code>
        . To have one on this machine do so, such as Claude Code:
      </p>
      <p>
        <span class="command-line">
          <code>
            <Text of={install} />
          </code>
          <CopyButton text={install} what="command" />
        </span>
      </p>
    </div>
  );
}
