// One server: what is wrong with it and what helps, what can be done to it, its tools and its log.

import type { ServerDetail, ServerView } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { reasonOf } from '../feed/request.ts';
import { useConsole } from '../store/context.ts';
import { counted, shortCount } from '../text/numbers.ts';
import { Text } from '../text/text.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useLoaded } from '../ui/loaded.ts';
import { EraBadge, Mark, SERVER_LOOKS } from '../ui/mark.tsx';
import { addressOf } from '../ui/route.ts';
import { ACTIONS, ServerActions } from './server-actions.tsx';
import { ServerDoctor } from './server-doctor.tsx';
import { ServerLog } from './server-log.tsx';
import { ServerTools } from './server-tools.tsx';
import { ServerTrust } from './server-trust.tsx';

const TABS = [
  { name: 'tools', title: 'Tools', isForAll: true },
  { name: 'log', title: 'Log', isForAll: false },
  { name: 'doctor', title: 'Doctor', isForAll: false },
] as const;

interface ServerDetailsProps {
  readonly server: ServerView;
  readonly tab: string;
}

export function ServerDetails({ server, tab }: ServerDetailsProps): JSX.Element {
  const { answer, reload } = useLoaded<ServerDetail>(`servers/${encodeURIComponent(server.name)}`);
  // Tools and decisions may be others once the state is.
  useEffect(() => void reload(), [server.state, server.tools, server.quarantined]);
  const detail = answer.value;
  const isAdministrator = useConsole().store.gateway.value?.isAdministrator === true;
  return (
    <>
      <div class="pane-head">
        <a class="icon-button back" href="#/servers" aria-label="Close the details">
          <Icon name="back" />
        </a>
        <h2>
          <Text of={server.title ?? server.name} />
        </h2>
        <Mark look={SERVER_LOOKS[server.state]} />
        <span class="spacer" />
        <ServerActions server={server} actions={ACTIONS[server.state]} />
      </div>
      <Problem server={server} />
      {detail?.kind === 'ok' && detail.value.trust !== undefined && (
        <ServerTrust server={server} trust={detail.value.trust} />
      )}
      <Facts server={server} />
      <nav class="tabs" aria-label="Parts of the server">
        {TABS.filter(({ isForAll }) => isForAll || isAdministrator).map(({ name, title }) => (
          <a
            key={name}
            href={addressOf('servers', server.name, name)}
            aria-current={name === tab ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      {detail === undefined && <div class="loading" />}
      {detail !== undefined && detail.kind !== 'ok' && <p class="empty">{reasonOf(detail)}</p>}
      {detail?.kind === 'ok' && tab === 'log' && (
        <ServerLog server={server.name} log={detail.value.log} />
      )}
      {tab === 'doctor' && <ServerDoctor server={server} />}
      {detail?.kind === 'ok' && tab === 'tools' && <ServerTools detail={detail.value} />}
    </>
  );
}

function Problem({ server }: { readonly server: ServerView }): JSX.Element | null {
  if (server.problem === undefined) return null;
  return (
    <div class={`notice tone-${SERVER_LOOKS[server.state].tone}`}>
      <Icon name="alert" />
      <div>
        <p class="notice-text">
          <Text of={server.problem} />
        </p>
        {server.command !== undefined && (
          <p class="command-line">
            <code>
              <Text of={server.command} />
            </code>
            <CopyButton text={server.command} what="command" />
          </p>
        )}
      </div>
    </div>
  );
}

function Facts({ server }: { readonly server: ServerView }): JSX.Element {
  return (
    <dl class="facts">
      <div>
        <dt>Name</dt>
        <dd>
          <Text of={server.name} />
        </dd>
      </div>
      <div>
        <dt>Protocol</dt>
        <dd>
          <EraBadge era={server.era} /> {server.protocolVersion}
        </dd>
      </div>
      <div>
        <dt>Transport</dt>
        <dd>
          <Text of={server.transport} />
        </dd>
      </div>
      {server.version !== undefined && (
        <div>
          <dt>Version</dt>
          <dd>
            <Text of={server.version} />
          </dd>
        </div>
      )}
      <div>
        <dt>Definitions</dt>
        <dd>
          {counted(server.tools, 'tool')}, {shortCount(server.tokens)} tokens
          {server.quarantined > 0 && <span class="tone-warn"> {server.quarantined} kept back</span>}
        </dd>
      </div>
      <div class="fact-wide">
        <dt>Configured in</dt>
        <dd>
          <Text of={server.source} />
        </dd>
      </div>
    </dl>
  );
}
