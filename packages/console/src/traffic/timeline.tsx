// The timeline of calls on a canvas. The wheel, `+` and `-` zoom; dragging and the arrow keys pan; a click opens a call. It is
// drawn when something has changed, at most once a frame.

import { type Signal, useSignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { LoggedCall } from '../store/call-log.ts';
import { counted, duration, timeOf } from '../text/numbers.ts';
import { visible } from '../text/visible.ts';
import { theme } from '../ui/preference.ts';
import { CALL_LOOKS } from '../ui/mark.tsx';
import { toolOf } from './call-filter.ts';
import {
  callUnder,
  type Colours,
  coloursOf,
  drawTimeline,
  layoutOf,
  type Scene,
} from './draw-timeline.ts';
import type { Lane, Span } from './lanes.ts';
import { boundsOf, LATEST, pan, type TimeWindow, spanOf, zoom } from './time-span.ts';

export interface TimelineProps {
  readonly lanes: { readonly value: readonly Lane[] };
  readonly window: Signal<TimeWindow>;
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
  /** The current time, or the end of a recording. */
  readonly now: () => number;
}

const PAN_STEP = 0.1;
const ZOOM_STEP = 1.3;
/** Per pixel of the wheel. */
const WHEEL_ZOOM = 0.0015;
/** In pixels. A shorter movement is a click. */
const DRAGGED = 4;

export function Timeline(props: TimelineProps): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const hovered = useSignal<LoggedCall | undefined>(undefined);
  const scene = useScene(props, canvas);
  const move = useMoves(props, scene);
  const drag = useDrag({ props, scene, move, hovered });
  useWheel(canvas, scene, move);
  const { call } = hovered.value ?? {};
  return (
    <div class="timeline">
      <canvas
        ref={canvas}
        class="timeline-canvas"
        role="application"
        aria-roledescription="timeline"
        aria-label={`Timeline of ${counted(callsIn(props.lanes.value), 'call')}. Arrow keys pan, plus and minus zoom, 0 shows all.`}
        tabIndex={0}
        onKeyDown={(event) => {
          if (event.ctrlKey || event.metaKey || event.altKey || !move.press(event.key)) return;
          event.preventDefault();
          event.stopPropagation();
        }}
        {...drag}
      />
      <p class="timeline-hint faint" aria-hidden="true">
        {call === undefined
          ? spanWords(props, scene)
          : `${timeOf(call.at)} · ${visible(toolOf(call))} · ${CALL_LOOKS[call.state].word}${call.ms === undefined ? '' : ` · ${duration(call.ms)}`}`}
      </p>
    </div>
  );
}

function callsIn(lanes: readonly Lane[]): number {
  return lanes.reduce((sum, { entries }) => sum + entries.length, 0);
}

function spanWords({ window, lanes, now }: TimelineProps, scene: GetScene): string {
  if (callsIn(lanes.value) === 0) return 'Nothing to show yet';
  // Reading the signal updates these words.
  const { kind } = window.value;
  const { from, to } = kind === 'all' ? boundsOf(lanes.value, now()) : scene().span;
  return `${timeOf(from)} – ${timeOf(to)} · ${duration(to - from)}`;
}

type GetScene = () => Scene;

/** Draws whenever something has changed, and continuously while time passes on the timeline. */
function useScene(
  { lanes, window, selected, now }: TimelineProps,
  canvas: { readonly current: HTMLCanvasElement | null },
): GetScene {
  const width = useSignal(0);
  const chosen = useSignal(selected);
  chosen.value = selected;
  const scene = (): Scene => {
    const time = now();
    const bounds = boundsOf(lanes.value, time);
    const span = spanOf(window.value, bounds, time);
    return { lanes: lanes.value, span, now: time, width: width.value, selected: chosen.value };
  };
  const frame = useRef<number | undefined>(undefined);
  const colours = useRef<Colours | undefined>(undefined);
  const draw = (): void => {
    frame.current = undefined;
    const drawn = scene();
    if (canvas.current !== null && drawn.width > 0) {
      colours.current ??= coloursOf(canvas.current);
      paint(canvas.current, drawn, colours.current);
    }
    if (isMoving(drawn.lanes, window.peek())) schedule();
  };
  const latest = useRef(draw);
  latest.current = draw;
  const schedule = (): void => {
    frame.current ??= requestAnimationFrame(() => latest.current());
  };
  useSignalEffect(() => {
    // Reading these signals runs the effect when one changes.
    void [lanes.value, window.value, width.value, chosen.value];
    schedule();
  });
  useSignalEffect(() => {
    // Looked up per theme and not per frame, since it makes the browser compute all styles.
    void theme.value;
    colours.current = undefined;
    schedule();
  });
  useSurroundings(canvas, width, () => {
    colours.current = undefined;
    schedule();
  });
  useEffect(
    () => () => {
      if (frame.current !== undefined) cancelAnimationFrame(frame.current);
    },
    [],
  );
  return scene;
}

/** Follows the available width and the colour scheme of the system. */
function useSurroundings(
  canvas: { readonly current: HTMLCanvasElement | null },
  width: Signal<number>,
  onColours: () => void,
): void {
  useEffect(() => {
    const box = canvas.current?.parentElement;
    if (box === null || box === undefined) return undefined;
    const watch = new ResizeObserver(() => {
      width.value = Math.floor(box.clientWidth);
    });
    watch.observe(box);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', onColours);
    return () => {
      watch.disconnect();
      scheme.removeEventListener('change', onColours);
    };
  }, []);
}

/** Whether the timeline changes as time passes. */
function isMoving(lanes: readonly Lane[], shown: TimeWindow): boolean {
  return shown.kind === 'follow' || lanes.some(({ reach }) => reach.at(-1) === Infinity);
}

function paint(canvas: HTMLCanvasElement, scene: Scene, colours: Colours): void {
  const { height } = layoutOf(scene.lanes);
  const ratio = devicePixelRatio;
  const [wide, high] = [Math.round(scene.width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  drawTimeline(context, scene, colours);
}

export interface Moves {
  readonly pan: (by: number) => void;
  readonly zoom: (factor: number, anchor?: number) => void;
  /** Returns whether the timeline handles the key. */
  readonly press: (key: string) => boolean;
}

function useMoves({ lanes, window, now }: TimelineProps, scene: GetScene): Moves {
  const bounds = (): Span => boundsOf(lanes.value, now());
  const moves = {
    pan: (by: number): void => {
      window.value = pan(scene().span, by, bounds());
    },
    zoom: (factor: number, anchor = 0.5): void => {
      window.value = zoom(scene().span, { factor, anchor }, bounds());
    },
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => moves.pan(-PAN_STEP),
    ArrowRight: () => moves.pan(PAN_STEP),
    PageUp: () => moves.pan(-0.9),
    PageDown: () => moves.pan(0.9),
    '+': () => moves.zoom(1 / ZOOM_STEP),
    '=': () => moves.zoom(1 / ZOOM_STEP),
    '-': () => moves.zoom(ZOOM_STEP),
    0: () => {
      window.value = { kind: 'all' };
    },
    End: () => {
      window.value = LATEST;
    },
  };
  return {
    ...moves,
    press: (key) => {
      keys[key]?.();
      return keys[key] !== undefined;
    },
  };
}

/** Registered by hand, since wheel listeners of components are passive and cannot keep the page from scrolling. */
function useWheel(
  canvas: { readonly current: HTMLCanvasElement | null },
  scene: GetScene,
  move: Moves,
): void {
  const latest = useRef(move);
  latest.current = move;
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const turn = (event: WheelEvent): void => {
      const { deltaX, deltaY, shiftKey, offsetX } = event;
      const { width } = scene();
      const isSideways = shiftKey || Math.abs(deltaX) > Math.abs(deltaY);
      event.preventDefault();
      if (isSideways) latest.current.pan((deltaX === 0 ? deltaY : deltaX) / width);
      else latest.current.zoom(Math.exp(deltaY * WHEEL_ZOOM), offsetX / width);
    };
    element.addEventListener('wheel', turn, { passive: false });
    return () => element.removeEventListener('wheel', turn);
  }, []);
}

interface DragParts {
  readonly props: TimelineProps;
  readonly scene: GetScene;
  readonly move: Moves;
  readonly hovered: Signal<LoggedCall | undefined>;
}

type PointerHandlers = Pick<
  JSX.IntrinsicElements['canvas'],
  'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerLeave' | 'onDblClick'
>;

function useDrag({ props, scene, move, hovered }: DragParts): PointerHandlers {
  const drag = useRef<{ x: number; distance: number } | undefined>(undefined);
  return {
    onPointerDown: (event) => {
      if (event.button !== 0) return;
      drag.current = { x: event.offsetX, distance: 0 };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: ({ offsetX: x, offsetY: y }) => {
      const from = drag.current;
      if (from === undefined) {
        hovered.value = callUnder(scene(), { x, y });
        return;
      }
      from.distance += Math.abs(x - from.x);
      if (from.distance >= DRAGGED) move.pan((from.x - x) / scene().width);
      from.x = x;
    },
    onPointerUp: ({ offsetX: x, offsetY: y }) => {
      const isClick = drag.current !== undefined && drag.current.distance < DRAGGED;
      drag.current = undefined;
      const found = isClick ? callUnder(scene(), { x, y }) : undefined;
      if (found !== undefined) props.onSelect(found.call.id);
    },
    onPointerLeave: () => {
      hovered.value = undefined;
    },
    onDblClick: ({ offsetX }) => move.zoom(1 / (2 * ZOOM_STEP), offsetX / scene().width),
  };
}
