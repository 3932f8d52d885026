import type { JSX } from 'preact';
import { CopyButton } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icon.tsx';

const COMMAND = 'plugboard console';

/** Shown if there is no token, the token was already used, or the gateway has restarted. */
export function SignedOut(): JSX.Element {
  return (
    <main class="signed-out" aria-labelledby="signed-out-title">
      <Icon name="lock" />
      <h1 id="signed-out-title">This page is signed out</h1>
      <p>The address of this page works only once. In a terminal, run</p>
      <p class="command-line">
        <code>{COMMAND}</code>
        <CopyButton text={COMMAND} what="command" />
      </p>
      <p class="faint">It opens this page again, signed in.</p>
    </main>
  );
}
