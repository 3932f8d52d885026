// Explains why a server is not ready, and what helps: on the page or in a terminal.

import type { QuestionView, ServerView } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { useConsole } from '../store/context.ts';
import { Text } from '../text/text.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icon.tsx';
import { SERVER_LOOKS } from '../ui/mark.tsx';
import { addressOf } from '../ui/route.ts';

export function ServerNotice({ server }: { readonly server: ServerView }): JSX.Element | null {
  const { store } = useConsole();
  if (server.state === 'idle') {
    return <p class="idle-note faint">It is not connected: it starts when it is first needed.</p>;
  }
  if (server.problem === undefined) return null;
  const page = store.waiting.value.find(
    (each): each is QuestionView => each.kind === 'page' && each.server === server.name,
  );
  return (
    <div class={`notice tone-${SERVER_LOOKS[server.state].tone}`}>
      <Icon name="alert" />
      <div>
        <p class="notice-text">
          <Text of={server.problem} />
        </p>
        {page !== undefined && (
          <p class="notice-text">
            The page to sign in at is ready:{' '}
            <a href={addressOf('waiting')}>look at it and open it</a>.
          </p>
        )}
        {server.command !== undefined && (
          <p class="notice-command">
            <span class="faint">In a terminal:</span>
            <span class="command-line">
              <code>
                <Text of={server.command} />
              </code>
              <CopyButton text={server.command} what="command" />
            </span>
          </p>
        )}
      </div>
    </div>
  );
}
