// What is drawn: finished items once and for good, below them what still changes, the question that waits, and the
// prompt. Holds no state but the time; all of it comes from the store.

import { Box, Static } from 'ink';
import { type ReactElement, useEffect, useState, useSyncExternalStore } from 'react';
import type { Clock } from '@plugboard/base';
import { promptLines } from '../prompt/index.ts';
import type { ScreenStore } from '../session/index.ts';
import type { Item, Screen } from '../state/index.ts';
import { completionLines } from '../view/completion-lines.ts';
import { Printed, StatusLine, type Theme, useTheme } from '../view/index.ts';
import { toAnsi } from '../view/spans.ts';
import { AskedArea, askedLines } from './asked-area.tsx';
import { hasGapBefore } from './item-lines.ts';
import { ItemView } from './item-view.tsx';
import { liveLines } from './live-lines.ts';
import { PanelArea } from './panel-area.tsx';

const TICK_MS = 120;

export interface AppProps {
  readonly store: ScreenStore;
  readonly clock: Clock;
}

export function App({ store, clock }: AppProps): ReactElement {
  const screen = useSyncExternalStore(store.subscribe, store.shown);
  const now = useNow(clock, screen.turn !== undefined);
  const theme = useTheme();
  const items = drawnItems(screen);
  const { prompt, asked, room } = areasOf(screen, theme);
  return (
    <Box flexDirection="column" width={screen.columns}>
      <Static key={screen.epoch} items={items}>
        {(item, index) => (
          <ItemView
            key={item.id}
            item={item}
            hasGapAbove={hasGapBefore(item, items.slice(Math.max(0, index - 3), index))}
            screen={screen}
            now={now}
          />
        )}
      </Static>
      <Printed text={printed(liveLines(screen, { room: room - asked.length, now, theme }))} />
      <AskedArea lines={asked} others={screen.asked.length - 1} />
      <PanelArea screen={screen} rows={room} />
      <Printed text={printed(prompt)} />
      <StatusLine
        model={screen.model}
        tokens={screen.tokens}
        cost={screen.cost}
        servers={screen.servers}
        busy={busyWords(screen, now)}
        hint={screen.hint ?? stopHint(screen)}
        width={Math.max(1, screen.columns - 1)}
      />
    </Box>
  );
}

/** An empty line at the end is one, too. */
function printed(lines: readonly string[]): string {
  return lines.map((line) => (line === '' ? ' ' : line)).join('\n');
}

/** What is drawn is lower than the screen: a taller picture could not be drawn over without wiping the terminal. */
function areasOf(screen: Screen, theme: Theme) {
  const prompt = promptArea(screen, theme);
  const others = screen.asked.length > 1 ? 1 : 0;
  const room = screen.rows - 1 - STATUS_ROWS - prompt.length;
  const asked = askedLines(screen, { rows: room, theme });
  return { prompt, asked, room: room - others };
}

const STATUS_ROWS = 1;

/** The first screen stood there before this was loaded. */
function drawnItems({ finished, epoch }: Screen): Item[] {
  return epoch === 0 ? finished.filter((item) => item.kind !== 'opening') : [...finished];
}

function promptArea(screen: Screen, theme: Theme): readonly string[] {
  const { composer, columns, rows } = screen;
  const isAsked = screen.asked.length > 0 || screen.panel !== undefined;
  if (isAsked && composer.editor.text === '') return [];
  // What is asked needs the room more than what is typed meanwhile.
  const mostRows = isAsked ? 1 : Math.max(1, Math.floor(rows / 3));
  const lines = promptLines(composer, { columns, theme, mostRows });
  const { menu } = composer;
  if (menu === undefined || isAsked) return lines;
  const width = Math.max(1, columns - 1);
  const choices = completionLines(menu.choices, menu.selected, { width, theme });
  return [...lines, ...choices.map((line) => toAnsi(line, theme))];
}

function busyWords({ turn }: Screen, now: number): string | undefined {
  if (turn === undefined) return undefined;
  const { startedAt, doing, isCancelled, retryAt } = turn;
  if (doing === 'retrying' && retryAt !== undefined && !isCancelled) {
    return `trying again in ${Math.max(0, Math.ceil((retryAt - now) / 1000))} s`;
  }
  const seconds = Math.max(0, Math.floor((now - startedAt) / 1000));
  return `${isCancelled ? 'stopping' : doing} ${seconds} s`;
}

/** What ends it, where there is room for that. */
function stopHint({ turn, asked, panel, columns }: Screen): string | undefined {
  const isStoppable = turn !== undefined && !turn.isCancelled && asked.length === 0;
  return isStoppable && panel === undefined && columns >= 70 ? 'Esc stops' : undefined;
}

/** The time, which passes only while something runs. */
function useNow(clock: Clock, isRunning: boolean): number {
  const [now, setNow] = useState(() => clock.now());
  useEffect(() => {
    if (!isRunning) return undefined;
    let timer = clock.after(TICK_MS, tick);
    function tick(): void {
      setNow(clock.now());
      timer = clock.after(TICK_MS, tick);
    }
    return () => timer[Symbol.dispose]();
  }, [clock, isRunning]);
  return now;
}
