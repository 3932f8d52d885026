// The log of a server, updated live. The newest line stays in view unless the user scrolls away from it.

import type { LogView } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useConsole } from '../store/context.ts';
import { timeOf } from '../text/numbers.ts';
import { Text } from '../text/text.tsx';

const MOST_SHOWN = 1_000;

interface ServerLogProps {
  readonly server: string;
  /** The log as loaded with the details of the server. */
  readonly log: readonly LogView[];
}

export function ServerLog({ server, log }: ServerLogProps): JSX.Element {
  const { store } = useConsole();
  const latest = log.at(-1)?.at ?? 0;
  const fresh = store.lines.value
    .filter((each) => each.server === server && each.line.at > latest)
    .map(({ line }) => line);
  const lines = [...log, ...fresh].slice(-MOST_SHOWN);
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    if (isAtEnd.current) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [lines.length]);
  return (
    <div
      ref={box}
      class="log"
      role="log"
      aria-label="Log of the server"
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollTop + clientHeight > scrollHeight - 8;
      }}
    >
      {lines.length === 0 && <p class="empty">The server has logged nothing.</p>}
      {lines.map((line, at) => (
        <div key={`${line.at} ${at}`} class={`log-line log-${line.level ?? line.source}`}>
          <time class="faint">{timeOf(line.at)}</time>
          <span class="log-source">
            <Text of={line.level ?? line.source} />
          </span>
          <span class="log-text">
            <Text of={line.text} />
          </span>
        </div>
      ))}
    </div>
  );
}
