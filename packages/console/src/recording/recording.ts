// The recording that is shown instead of live traffic, and how one is saved and opened. An opened file stays in the
// page: it is not sent to the gateway.

import { type ReadonlySignal, signal } from '@preact/signals';
import type { CallDetail } from '@plugboard/gateway/console-api';
import { get, reasonOf } from '../feed/request.ts';
import { CallLog } from '../store/call-log.ts';
import { readRecording, RECORDING_TYPE, recordingHead, recordingLines } from './recording-file.ts';

export interface Recording {
  readonly name: string;
  readonly log: CallLog;
  readonly details: ReadonlyMap<string, CallDetail>;
  /** When the last of its calls ended. */
  readonly until: number;
}

const current = signal<Recording | undefined>(undefined);

export const openedRecording: ReadonlySignal<Recording | undefined> = current;

const LARGEST_FILE = 512 * 1024 * 1024;
/** Ids of its calls are not those of the gateway. */
const PREFIX = 'file-';

/** Says what is wrong with the file, if anything. */
export async function openRecording(file: File): Promise<string | undefined> {
  if (file.size > LARGEST_FILE) return 'The file is larger than 512 MB.';
  const read = readRecording(await file.text());
  if (read.kind === 'refused') return read.reason;
  current.value = recordingOf(file.name, read.calls);
  return read.skipped === 0 ? undefined : `${read.skipped} lines of the file are not calls.`;
}

export function closeRecording(): void {
  current.value = undefined;
}

export function recordingOf(name: string, calls: readonly CallDetail[]): Recording {
  const own = (id: string): string => `${PREFIX}${id}`;
  const renamed = calls.map((call): CallDetail => ({
    ...call,
    id: own(call.id),
    replayOf: call.replayOf === undefined ? undefined : own(call.replayOf),
  }));
  const log = new CallLog();
  log.putPage(renamed.toSorted((a, b) => b.at - a.at));
  let until = 0;
  for (const { at, ms = 0 } of renamed) until = Math.max(until, at + ms);
  return { name, log, details: new Map(renamed.map((call) => [call.id, call])), until };
}

/** Ids of the calls of a recording whose messages have a text. */
export function searchRecording({ details }: Recording, text: string): ReadonlySet<string> {
  const wanted = text.toLowerCase();
  const found = [...details.values()].filter(({ trace }) =>
    trace.some(({ body }) => body.toLowerCase().includes(wanted)),
  );
  return new Set(found.map(({ id }) => id));
}

const PAGE = 200;

/** The calls with these ids, as a file. `onProgress` hears how many there are by now. */
export async function exportCalls(
  ids: ReadonlySet<string>,
  onProgress: (many: number) => void,
): Promise<Blob | { readonly reason: string }> {
  const parts: string[] = [recordingHead(Date.now())];
  let many = 0;
  let before: string | undefined;
  while (many < ids.size) {
    const place = before === undefined ? '' : `&before=${encodeURIComponent(before)}`;
    const answer = await get<readonly CallDetail[]>(`recording?limit=${PAGE}${place}`);
    if (answer.kind !== 'ok') return { reason: reasonOf(answer) };
    const chosen = answer.value.filter(({ id }) => ids.has(id));
    parts.push(recordingLines(chosen));
    many += chosen.length;
    onProgress(many);
    before = answer.value.at(-1)?.id;
    // What made room meanwhile is not there any more.
    if (before === undefined || answer.value.length < PAGE) break;
  }
  return new Blob(parts, { type: RECORDING_TYPE });
}
