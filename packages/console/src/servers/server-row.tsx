import type { ServerView } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { count, counted, duration, shortCount } from '../text/numbers.ts';
import { Text } from '../text/text.tsx';
import { EraBadge, Mark, SERVER_LOOKS } from '../ui/mark.tsx';
import { addressOf } from '../ui/route.ts';
import { median, Sparkline } from '../ui/sparkline.tsx';

interface ServerRowProps {
  readonly server: ServerView;
  readonly isSelected: boolean;
}

export function ServerRow({ server, isSelected }: ServerRowProps): JSX.Element {
  const look = SERVER_LOOKS[server.state];
  return (
    <li class={`server-row ${isSelected ? 'is-selected' : ''}`}>
      <a
        class="server-name row-link"
        href={addressOf('servers', server.name)}
        aria-current={isSelected ? 'true' : undefined}
      >
        <Text of={server.name} />
      </a>
      <span class="server-state">
        <Mark look={look} />
      </span>
      <span class="server-era">
        <EraBadge era={server.era} />
      </span>
      <span class="server-transport">
        <Text of={server.transport} />
      </span>
      <Definitions server={server} />
      <span class="server-calls">
        {server.calls > 0 && counted(server.calls, 'call')}
        {server.failed > 0 && <span class="tone-bad"> {count(server.failed)} failed</span>}
      </span>
      <span class="server-latency">
        <Median values={server.latencies} />
        <Sparkline values={server.latencies} />
      </span>
      {server.problem !== undefined && (
        <span class={`server-problem tone-${look.tone}`}>
          <Text of={server.problem} />
        </span>
      )}
    </li>
  );
}

function Median({ values }: { readonly values: ServerView['latencies'] }): JSX.Element | null {
  const taken = values.filter((value) => value !== null);
  if (taken.length === 0) return null;
  return (
    <span class="server-median faint" title="Half of the last calls took less">
      {duration(median(taken))}
    </span>
  );
}

/** The tools of a server that was never connected are unknown. */
function Definitions({ server }: { readonly server: ServerView }): JSX.Element {
  const { state, tools, tokens, quarantined } = server;
  const isKnown = state === 'ready' || tools + quarantined > 0;
  if (!isKnown) return <span class="server-tools faint">tools not known yet</span>;
  return (
    <span class="server-tools" title={`${counted(tokens, 'token')} for a model`}>
      {counted(tools, 'tool')} <span class="faint">{shortCount(tokens)} tokens</span>
      {quarantined > 0 && <span class="tone-warn"> {quarantined} kept back</span>}
    </span>
  );
}

/** The column headings, for screens wide enough for columns. */
export function ServerColumns(): JSX.Element {
  return (
    <div class="server-columns" aria-hidden="true">
      <span>Name</span>
      <span>State</span>
      <span>Era</span>
      <span>Transport</span>
      <span>Definitions</span>
      <span>Calls</span>
      <span class="server-latency">Latency</span>
    </div>
  );
}
