// A note about idle servers whose tools are unknown, and a button that connects all of them.

import type { JSX } from 'preact';
import { useConsole } from '../store/context.ts';
import { counted } from '../text/numbers.ts';
import { Icon } from '../ui/icon.tsx';
import { connectAll } from './server-actions.tsx';

/** Hidden if no server is idle, or the user may not connect servers. */
export function ConnectAll(): JSX.Element | null {
  const { store } = useConsole();
  const servers = store.servers.value;
  const isIdle = servers.some(({ state }) => state === 'idle');
  if (!isIdle || !store.isAdministrator) return null;
  return (
    <button
      type="button"
      class="button"
      title="Servers start when they are first needed. This connects to those that are idle."
      onClick={() => void connectAll(servers)}
    >
      <Icon name="plug" />
      Connect all
    </button>
  );
}

export function IdleServers(): JSX.Element | null {
  const { store } = useConsole();
  const idle = store.servers.value.filter(
    ({ state, tools }) => state === 'idle' && tools === 0,
  ).length;
  if (idle === 0) return null;
  return (
    <p class="idle-servers">
      <span class="faint">
        {counted(idle, 'server is', 'servers are')} not connected yet, so{' '}
        {idle === 1 ? 'its' : 'their'} tools are unknown.
      </span>
      <ConnectAll />
    </p>
  );
}
