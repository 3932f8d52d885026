// The recording that is shown instead of live traffic. Opens and exports recordings. An opened file stays in the page and is
// not sent to the gateway.

import { type ReadonlySignal, signal } from '@preact/signals';
import type { CallDetail } from '@plugboard/gateway/console-api';
import { get, reasonOf } from '../feed/request.ts';
import { CallLog } from '../store/call-log.ts';
import { readRecording, RECORDING_TYPE, recordingHead, recordingLines } from './recording-file.ts';

export interface Recording {
  readonly name: string;
  readonly log: CallLog;
  readonly details: ReadonlyMap<string, CallDetail>;
  /** When its last call ended. */
  readonly until: number;
}

const current = signal<Recording | undefined>(undefined);

export const openedRecording: ReadonlySignal<Recording | undefined> = current;

const LARGEST_FILE = 512 * 1024 * 1024;
/** Distinguishes the ids of its calls from those of the gateway. */
const PREFIX = 'file-';

/** Returns the problem of the file, if any. */
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
  const fileId = (id: string): string => `${PREFIX}${id}`;
  const renamed = calls.map((call): CallDetail => ({
    ...call,
    id: fileId(call.id),
    replayOf: call.replayOf === undefined ? undefined : fileId(call.replayOf),
  }));
  const log = new CallLog();
  log.putPage(renamed.toSorted((a, b) => b.at - a.at));
  let until = 0;
  for (const { at, ms = 0 } of renamed) until = Math.max(until, at + ms);
  return { name, log, details: new Map(renamed.map((call) => [call.id, call])), until };
}

/** The ids of the calls whose messages contain a text. */
export function searchRecording({ details }: Recording, text: string): ReadonlySet<string> {
  const lowerText = text.toLowerCase();
  const found = [...details.values()].filter(({ trace }) =>
    trace.some(({ body }) => body.toLowerCase().includes(lowerText)),
  );
  return new Set(found.map(({ id }) => id));
}

const PAGE = 200;

/** Exports the calls with these ids as a file. `onProgress` receives the number of calls so far. */
export async function exportCalls(
  ids: ReadonlySet<string>,
  onProgress: (count: number) => void,
): Promise<Blob | { readonly reason: string }> {
  const parts: string[] = [recordingHead(Date.now())];
  let count = 0;
  let before: string | undefined;
  while (count < ids.size) {
    const place = before === undefined ? '' : `&before=${encodeURIComponent(before)}`;
    const answer = await get<readonly CallDetail[]>(`recording?limit=${PAGE}${place}`);
    if (answer.kind !== 'ok') return { reason: reasonOf(answer) };
    const chosen = answer.value.filter(({ id }) => ids.has(id));
    parts.push(recordingLines(chosen));
    count += chosen.length;
    onProgress(count);
    before = answer.value.at(-1)?.id;
    // Calls may have been dropped meanwhile.
    if (before === undefined || answer.value.length < PAGE) break;
  }
  return new Blob(parts, { type: RECORDING_TYPE });
}
