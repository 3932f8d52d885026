// The log and the trace of a server, for people and for programs. All text comes from the server.

import type { FrameRecord, LogLine } from '@plugboard/host/recorded';
import { oneLine } from './sanitise.ts';
import { type Column, table } from './table.ts';
import { duration, isoTime } from './times.ts';

type DatedRecord<T> = Omit<T, 'at'> & { readonly at: string };

export function logLines(lines: readonly LogLine[]): readonly DatedRecord<LogLine>[] {
  return lines.map((line) => ({ ...line, at: isoTime(line.at) }));
}

export function logText(lines: readonly LogLine[]): string {
  return lines
    .map(({ at, source, level, text }) => [isoTime(at), level ?? source, oneLine(text)].join('  '))
    .map((line) => `${line}\n`)
    .join('');
}

export function traceRows(frames: readonly FrameRecord[]): readonly DatedRecord<FrameRecord>[] {
  return frames.map((frame) => ({ ...frame, at: isoTime(frame.at) }));
}

interface RecordsLayout {
  readonly screen: number;
  /** The width of the screen from which the date is shown. */
  readonly dateFrom: number;
}

function columnsFor({ screen, dateFrom }: RecordsLayout): readonly Column<FrameRecord>[] {
  return [
    { title: 'TIME', cell: ({ at }) => (screen < dateFrom ? timeOfDay(at) : isoTime(at)) },
    { title: '', cell: ({ direction }) => (direction === 'sent' ? '->' : '<-') },
    { title: 'KIND', cell: ({ kind }) => kind, from: 60 },
    { title: 'ID', cell: ({ id }) => (id === undefined ? '-' : String(id)), from: 60 },
    { title: 'BYTES', cell: ({ bytes }) => String(bytes), from: 60 },
    { title: 'TOOK', cell: ({ ms }) => (ms === undefined ? '-' : duration(ms)), from: 80 },
    { title: 'CODE', cell: ({ code }) => (code === undefined ? '-' : String(code)), from: 80 },
    { title: 'METHOD', cell: ({ method }) => method ?? '-' },
  ];
}

const BODY: Column<FrameRecord> = { title: 'BODY', cell: ({ body }) => body ?? '-', from: 60 };

export function traceTable(frames: readonly FrameRecord[], screen: number): string {
  const hasBodies = frames.some(({ body }) => body !== undefined);
  const columns = columnsFor({ screen, dateFrom: hasBodies ? 120 : 80 });
  return table(hasBodies ? [...columns, BODY] : columns, frames, screen);
}

function timeOfDay(at: number): string {
  return isoTime(at).slice('2026-01-01T'.length, -1);
}
