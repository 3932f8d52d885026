// Draws finished items, once and permanently, and below them everything that still changes, as one text. The only state here
// is the time; the rest comes from the store.

import { Box, Static, Text } from 'ink';
import { type ReactElement, useEffect, useState, useSyncExternalStore } from 'react';
import type { Clock } from '@plugboard/base';
import type { ScreenStore } from '../session/index.ts';
import { contentWidth, type Item, type Screen } from '../state/index.ts';
import type { Theme } from '../view/theme.ts';
import { hasGapAfter, hasGapBefore, isInvisible, type ItemLook, itemLines } from './item-lines.ts';
import { lowerLines } from './lower-lines.ts';

const TICK_MS = 120;

export interface AppProps {
  readonly store: ScreenStore;
  readonly clock: Clock;
  readonly theme: Theme;
}

export function App({ store, clock, theme }: AppProps): ReactElement {
  const screen = useSyncExternalStore(store.subscribe, store.drawnScreen);
  const now = useNow(clock, screen.turn !== undefined || screen.commands.length > 0);
  const { columns, opening, isFolded, turnedOver } = screen;
  const look: ItemLook = { width: contentWidth(screen), theme, opening, isFolded, now };
  const turnedLook: ItemLook = { ...look, isFolded: !isFolded };
  const items = drawnItems(screen);
  return (
    <Box flexDirection="column" width={columns}>
      <Static key={screen.epoch} items={items}>
        {(item, index) => (
          <FinishedItem
            key={item.id}
            item={item}
            before={items.slice(Math.max(0, index - 3), index)}
            look={turnedOver.has(item.id) ? turnedLook : look}
          />
        )}
      </Static>
      <Printed lines={lowerLines(screen, { now, theme }).map((line) => line || ' ')} />
    </Box>
  );
}

/** The opening was already printed before this code was loaded. */
function drawnItems({ finished, epoch }: Screen): Item[] {
  return epoch === 0 ? finished.filter((item) => item.kind !== 'opening') : [...finished];
}

interface FinishedProps {
  readonly item: Item;
  /** The items directly above it. */
  readonly before: readonly Item[];
  readonly look: ItemLook;
}

function FinishedItem({ item, before, look }: FinishedProps): ReactElement | null {
  if (isInvisible(item)) return null;
  return (
    <Box
      flexDirection="column"
      marginTop={hasGapBefore(item, before) ? 1 : 0}
      marginBottom={hasGapAfter(item) ? 1 : 0}
    >
      <Printed lines={itemLines(item, look)} />
    </Box>
  );
}

/** One text for all lines: laying out each line separately would be slow. */
function Printed({ lines }: { readonly lines: readonly string[] }): ReactElement | null {
  if (lines.length === 0) return null;
  return (
    <Box flexShrink={0}>
      <Text>{lines.join('\n')}</Text>
    </Box>
  );
}

/** The current time, updated only while something runs. */
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
