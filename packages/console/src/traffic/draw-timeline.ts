// Draws lanes on a canvas: a time scale, rows of overlapping calls, and names if there is room. `layoutOf` computes the
// positions, which are also used to find the call under the pointer.

import { timeOf } from '../text/numbers.ts';
import { visible } from '../text/visible.ts';
import { toolOf } from './call-filter.ts';
import { callAt, type Lane, paintLane, visibleRange, type Span, TONES } from './lanes.ts';
import type { LoggedCall } from '../store/call-log.ts';
import { ticksOf } from './time-span.ts';

export interface Scene {
  readonly lanes: readonly Lane[];
  readonly span: Span;
  readonly now: number;
  readonly width: number;
  /** The id of the selected call. */
  readonly selected: string | undefined;
}

export interface Colours {
  readonly tones: readonly string[];
  readonly line: string;
  readonly faint: string;
  readonly text: string;
  readonly surface: string;
  readonly font: string;
}

const SCALE = 20;
const NAME = 16;
const ROW = 9;
const ROW_GAP = 2;
const BELOW = 6;
/** In a lane with more calls, no names are drawn. */
const MOST_NAMED = 80;
const LEAST_NAMED_WIDTH = 40;
/** In pixels, how far beside a call a click may be. */
const REACH = 5;

interface Place {
  readonly lane: Lane;
  readonly top: number;
}

interface Layout {
  readonly places: readonly Place[];
  readonly height: number;
}

export function layoutOf(lanes: readonly Lane[]): Layout {
  let top = SCALE;
  const places = lanes.map((lane) => {
    const place = { lane, top };
    top += NAME + lane.depth * (ROW + ROW_GAP) + BELOW;
    return place;
  });
  return { places, height: Math.max(top, SCALE + NAME + ROW + BELOW) };
}

/** The current colours of the page. */
export function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element);
  const of = (name: string): string => style.getPropertyValue(`--${name}`);
  return {
    tones: TONES.map((tone) => (tone === 'none' ? 'transparent' : of(tone))),
    line: of('line'),
    faint: of('faint'),
    text: of('text'),
    surface: of('surface'),
    font: style.fontFamily,
  };
}

export function drawTimeline(
  context: CanvasRenderingContext2D,
  scene: Scene,
  colours: Colours,
): void {
  const { places, height } = layoutOf(scene.lanes);
  context.clearRect(0, 0, scene.width, height);
  context.font = `11px ${colours.font}`;
  context.textBaseline = 'middle';
  drawScale(context, scene, { ...colours, height });
  for (const place of places) drawLane(context, place, { scene, colours });
}

function drawScale(
  context: CanvasRenderingContext2D,
  { span, width }: Scene,
  { line, faint, height }: Colours & { readonly height: number },
): void {
  const { step, at } = ticksOf(span, width);
  const scale = width / (span.to - span.from);
  context.fillStyle = line;
  for (const time of at) context.fillRect(Math.round((time - span.from) * scale), 0, 1, height);
  context.fillStyle = faint;
  for (const time of at) {
    const words = step < 1000 ? timeOf(time) : timeOf(time).slice(0, -4);
    context.fillText(words, Math.round((time - span.from) * scale) + 4, SCALE / 2);
  }
}

interface Drawing {
  readonly scene: Scene;
  readonly colours: Colours;
}

function drawLane(
  context: CanvasRenderingContext2D,
  { lane, top }: Place,
  { scene, colours }: Drawing,
): void {
  const { width } = scene;
  context.fillStyle = colours.line;
  context.fillRect(0, top, width, 1);
  const pixels = paintLane(lane, scene);
  // Tone by tone, since changing the colour costs more than drawing a rectangle.
  for (let tone = 1; tone < TONES.length; tone += 1) {
    context.fillStyle = colours.tones[tone] ?? '';
    context.beginPath();
    for (let row = 0; row < lane.depth; row += 1) {
      const y = top + NAME + row * (ROW + ROW_GAP);
      addRuns(context, pixels.subarray(row * width, (row + 1) * width), { tone, y });
    }
    context.fill();
  }
  drawNames(context, { lane, top }, { scene, colours });
  context.fillStyle = colours.faint;
  context.fillText(visible(lane.name).slice(0, 60), 4, top + NAME / 2 + 1);
}

/** Draws neighbouring pixels of one tone as one rectangle. */
function addRuns(
  context: CanvasRenderingContext2D,
  pixels: Uint8Array,
  { tone, y }: { readonly tone: number; readonly y: number },
): void {
  let from = pixels.indexOf(tone);
  while (from >= 0) {
    let to = from + 1;
    while (pixels[to] === tone) to += 1;
    context.rect(from, y, to - from, ROW);
    from = pixels.indexOf(tone, to);
  }
}

function drawNames(
  context: CanvasRenderingContext2D,
  { lane, top }: Place,
  { scene: { span, width, now, selected }, colours }: Drawing,
): void {
  const scale = width / (span.to - span.from);
  const [first, last] = visibleRange(lane, span);
  const isNamed = last - first <= MOST_NAMED;
  if (!isNamed && selected === undefined) return;
  for (let index = first; index < last; index += 1) {
    const call = lane.entries[index]?.call;
    if (call === undefined || (!isNamed && call.id !== selected)) continue;
    const left = Math.max(0, (call.at - span.from) * scale);
    const right = Math.min(width, (Math.min(lane.ends[index] ?? 0, now) - span.from) * scale);
    const y = top + NAME + (lane.rows[index] ?? 0) * (ROW + ROW_GAP);
    if (isNamed && right - left > LEAST_NAMED_WIDTH) {
      context.save();
      context.beginPath();
      context.rect(left, y, right - left - 3, ROW);
      context.clip();
      context.fillStyle = colours.surface;
      context.font = `9px ${colours.font}`;
      context.fillText(visible(toolOf(call)).slice(0, 80), left + 3, y + ROW / 2 + 0.5);
      context.restore();
    }
    if (isNamed && right > left + 2) {
      // A gap between calls that follow each other closely.
      context.fillStyle = colours.surface;
      context.fillRect(right, y, 1, ROW);
    }
    if (call.id !== selected) continue;
    context.strokeStyle = colours.text;
    context.lineWidth = 2;
    context.strokeRect(left - 1, y - 1, Math.max(3, right - left + 2), ROW + 2);
  }
}

/** The call at a point of the canvas. */
export function callUnder(
  scene: Scene,
  { x, y }: { readonly x: number; readonly y: number },
): LoggedCall | undefined {
  const { span, width, now, lanes } = scene;
  const perPixel = (span.to - span.from) / width;
  const at = span.from + x * perPixel;
  const place = layoutOf(lanes).places.findLast(({ top }) => top <= y);
  if (place === undefined) return undefined;
  const row = Math.floor((y - place.top - NAME) / (ROW + ROW_GAP));
  return callAt(place.lane, { row, at, within: REACH * perPixel, now });
}
