// The list of all servers behind the gateway, and the details of one beside it.

import type { ServerView } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { useConsole } from '../store/context.ts';
import { counted } from '../text/numbers.ts';
import { useFocusedSelection } from '../ui/focus.ts';
import { stepKeys, useKeys } from '../ui/keys.ts';
import { goTo } from '../ui/route.ts';
import { ConnectAll } from './idle-servers.tsx';
import { ServerDetails } from './server-details.tsx';
import { ServerColumns, ServerRow } from './server-row.tsx';

export function ServersView({ path }: { readonly path: readonly string[] }): JSX.Element {
  const { store } = useConsole();
  const servers = store.servers.value;
  const [selected] = path;
  const isKnown = store.gateway.value !== undefined;
  const { list, follow } = useFocusedSelection<HTMLUListElement>(selected);
  const at = servers.findIndex(({ name }) => name === selected);
  const choose = ({ name }: ServerView): void => {
    follow();
    goTo('servers', name);
  };
  useKeys('Servers', [
    ...stepKeys('server', { items: servers, at, choose }),
    { keys: 'Escape', what: 'Close the details', run: () => goTo('servers') },
  ]);
  const shown = servers[at];
  if (!isKnown) return <div class="loading" />;
  return (
    <div class={`split ${selected === undefined ? 'split-closed' : 'split-open'}`}>
      <section class="split-list" aria-label="All servers">
        <ListHead servers={servers} />
        {servers.length === 0 ? <NoServers /> : <ServerColumns />}
        <ul class="server-list" role="list" ref={list}>
          {servers.map((server) => (
            <ServerRow key={server.name} server={server} isSelected={server.name === selected} />
          ))}
        </ul>
      </section>
      {selected !== undefined && (
        <section class="split-detail" aria-label="Details of the server" key={selected}>
          {shown === undefined ? (
            <p class="empty">There is no longer a server of this name.</p>
          ) : (
            <ServerDetails server={shown} tab={path[1]} />
          )}
        </section>
      )}
    </div>
  );
}

function ListHead({ servers }: { readonly servers: readonly ServerView[] }): JSX.Element {
  const failed = servers.filter(({ state }) => state === 'failed').length;
  return (
    <div class="pane-head">
      <h2>{counted(servers.length, 'server')}</h2>
      {failed > 0 && <span class="tone-bad">{failed} failed</span>}
      <span class="spacer" />
      <ConnectAll />
    </div>
  );
}

function NoServers(): JSX.Element {
  return (
    <div class="empty">
      <p>No servers are configured. Add one in a terminal:</p>
      <p>
        <code>plugboard add demo -- npx -y @modelcontextprotocol/server-everything</code>
      </p>
    </div>
  );
}
