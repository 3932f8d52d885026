import { useComputed, useSignal } from '@preact/signals';
import type { Json } from '@plugboard/base';
import type { DecisionView, ServerDetail, ToolView } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { counted } from '../text/numbers.ts';
import { Text } from '../text/text.tsx';
import { visible } from '../text/visible.ts';
import { type Look, Mark } from '../ui/mark.tsx';

const DECISIONS: Readonly<Record<DecisionView['kind'], Look>> = {
  allow: { word: 'allowed', tone: 'good', icon: 'check' },
  ask: { word: 'asks', tone: 'warn', icon: 'waiting' },
  deny: { word: 'denied', tone: 'bad', icon: 'blocked' },
};

export function ServerTools({ detail }: { readonly detail: ServerDetail }): JSX.Element {
  const query = useSignal('');
  const words = useComputed(() => query.value.toLowerCase().split(/\s+/u).filter(Boolean));
  const shown = detail.toolList.filter(({ name, title, description }) => {
    const text = [name, title, description].join('\n').toLowerCase();
    return words.value.every((word) => text.includes(word));
  });
  if (detail.toolList.length === 0) return <p class="empty">No tools are known of this server.</p>;
  return (
    <div class="tools">
      <input
        type="search"
        class="field"
        aria-label="Filter tools"
        placeholder={`Filter ${counted(detail.toolList.length, 'tool')}`}
        value={query.value}
        onInput={({ currentTarget }) => {
          query.value = currentTarget.value;
        }}
      />
      {detail.instructions !== undefined && (
        <details class="instructions">
          <summary>Instructions of the server</summary>
          <p class="prose">
            <Text of={detail.instructions} />
          </p>
        </details>
      )}
      <ul class="tool-list" role="list">
        {shown.map((tool) => (
          <Tool key={tool.name} tool={tool} />
        ))}
      </ul>
    </div>
  );
}

function Tool({ tool }: { readonly tool: ToolView }): JSX.Element {
  return (
    <li>
      <details class="tool">
        <summary>
          <span class="tool-name">
            <Text of={tool.name} />
          </span>
          <span class="tool-words">
            <Text of={tool.description ?? tool.title ?? ''} />
          </span>
          <span class="faint tool-tokens">{tool.tokens} tokens</span>
          <Mark look={DECISIONS[tool.decision.kind]} title={visible(tool.decision.reason)} />
        </summary>
        <div class="tool-body">
          <p class="prose">
            <Text of={tool.description ?? 'This tool has no description.'} />
          </p>
          <p class="faint">
            <Text of={tool.decision.reason} />
            {tool.decision.rule !== undefined && (
              <>
                {': '}
                <code>
                  <Text of={tool.decision.rule} />
                </code>
              </>
            )}
            {tool.decision.source !== undefined && (
              <>
                {' in '}
                <Text of={tool.decision.source} />
              </>
            )}
          </p>
          <Schema schema={tool.inputSchema} />
        </div>
      </details>
    </li>
  );
}

function Schema({ schema }: { readonly schema: Json }): JSX.Element {
  return (
    <pre class="code" tabIndex={0} aria-label="Schema of the arguments">
      <Text of={JSON.stringify(schema, null, 2)} />
    </pre>
  );
}
