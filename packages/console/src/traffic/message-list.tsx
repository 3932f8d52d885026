// The messages of a call in order, each with its hop: between client and gateway, or between gateway and server. A message
// unfolds to its headers and body.

import { useSignal } from '@preact/signals';
import { parseJson } from '@plugboard/base';
import type { CallDetail, MessageView } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { JsonTree } from '../parts/result/json-tree.tsx';
import { LongText } from '../parts/result/long-text.tsx';
import { count, counted, duration, size } from '../text/numbers.ts';
import { Text } from '../text/text.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { EraBadge } from '../ui/mark.tsx';

/** Limited, since a call may have thousands of progress messages. */
const MESSAGES_AT_ONCE = 100;
const BODY_LIMITS = { maxLength: 1024 * 1024, maxDepth: 200 };

export function MessageList({ call }: { readonly call: CallDetail }): JSX.Element {
  const most = useSignal(MESSAGES_AT_ONCE);
  const { trace, messages } = call;
  return (
    <section class="call-part" aria-label="Messages">
      <h3>Messages</h3>
      <ol class="messages" role="list">
        {trace.slice(0, most.value).map((message, index) => (
          <li key={index} class={`message message-${message.hop}`}>
            <Message message={message} began={call.at} />
          </li>
        ))}
      </ol>
      {trace.length > most.value && (
        <button
          type="button"
          class="button"
          onClick={() => {
            most.value += 5 * MESSAGES_AT_ONCE;
          }}
        >
          Show more of {count(trace.length)}
        </button>
      )}
      {messages > trace.length && (
        <p class="faint">{counted(messages - trace.length, 'more message')} of it were not kept.</p>
      )}
    </section>
  );
}

/** The sender and the receiver of a message. */
function endsOf({ hop, direction, server }: MessageView): readonly [string, string] {
  const ends = hop === 'client' ? ['client', 'gateway'] : ['gateway', server ?? 'server'];
  const [near = '', far = ''] = ends;
  return direction === 'to-server' ? [near, far] : [far, near];
}

interface MessageProps {
  readonly message: MessageView;
  readonly began: number;
}

function Message({ message, began }: MessageProps): JSX.Element {
  const isOpen = useSignal(false);
  const [from, to] = endsOf(message);
  const isBad = message.kind === 'error';
  return (
    <details
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>
        <span class="message-way">
          <Text of={from} /> <span aria-label="to">→</span> <Text of={to} />
        </span>
        <b class={isBad ? 'tone-bad' : ''}>
          <Text of={message.method ?? message.kind} />
        </b>
        <span class="faint">
          {message.method === undefined ? '' : `${message.kind} · `}
          {size(message.bytes)} · +{duration(message.at - began)}
        </span>
        <EraBadge era={message.era} />
      </summary>
      {isOpen.value && <Unfolded message={message} />}
    </details>
  );
}

function Unfolded({ message }: { readonly message: MessageView }): JSX.Element {
  const { headers, body, isCut } = message;
  const parsed = isCut ? undefined : parseJson(body, BODY_LIMITS);
  return (
    <div class="message-body">
      {headers !== undefined && <Headers headers={headers} />}
      {parsed?.ok === true ? (
        <JsonTree value={parsed.value} label="Body" openDepth={4} />
      ) : (
        <pre class="code" tabIndex={0}>
          <LongText of={body} />
        </pre>
      )}
      {isCut && <p class="faint">It was too large to be kept whole.</p>}
      <CopyButton text={body} what="body" />
    </div>
  );
}

function Headers({ headers }: { readonly headers: Readonly<Record<string, string>> }): JSX.Element {
  return (
    <dl class="headers" aria-label="Headers">
      {Object.entries(headers).map(([name, value]) => (
        <div key={name}>
          <dt>
            <Text of={name} />
          </dt>
          <dd>
            <Text of={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
