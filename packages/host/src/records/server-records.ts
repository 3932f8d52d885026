// The records of one server: the last frames and log lines in memory, and more of both on disk. Everything is bounded,
// and recording costs a call almost nothing.

import type { Clock, Json } from '@plugboard/base';
import { AppendFile } from '../platform/index.ts';
import type { FrameRecord, Recorder, ServerLog } from '../protocol/index.ts';
import { type LogLine, MAX_FILE_BYTES, type RecordFiles } from './record-files.ts';

export interface ServerRecordsOptions {
  /** `undefined` for a server that differs between runs. */
  readonly files: RecordFiles | undefined;
  readonly keeps: 'metadata' | 'bodies';
  readonly clock: Clock;
  readonly onUnwritable: (code: string) => void;
  readonly onLine: (line: LogLine) => void;
}

const KEPT_FRAMES = 500;
const KEPT_LINES = 500;
const MAX_LINE_LENGTH = 2000;

export class ServerRecords implements Recorder {
  readonly keeps: 'metadata' | 'bodies';
  readonly #clock: Clock;
  readonly #frames = new Ring<FrameRecord>(KEPT_FRAMES);
  readonly #lines = new Ring<LogLine>(KEPT_LINES);
  readonly #onLine: ServerRecordsOptions['onLine'];
  readonly #trace: AppendFile | undefined;
  readonly #log: AppendFile | undefined;
  #partial = '';

  constructor({ files, keeps, clock, onUnwritable, onLine }: ServerRecordsOptions) {
    this.keeps = keeps;
    this.#clock = clock;
    this.#onLine = onLine;
    const fileAt = (path: string | undefined): AppendFile | undefined =>
      path === undefined
        ? undefined
        : new AppendFile({ path, maxBytes: MAX_FILE_BYTES, clock, onUnwritable });
    this.#trace = fileAt(files?.trace);
    this.#log = fileAt(files?.log);
  }

  /** The last frames of this run, oldest first. */
  get frames(): readonly FrameRecord[] {
    return this.#frames.items();
  }

  /** The last lines of this run, oldest first. */
  get lines(): readonly LogLine[] {
    return this.#lines.items();
  }

  /** For a connection of a gateway's client, whose frames are recorded elsewhere. */
  get ofLines(): Recorder {
    return {
      keeps: 'lines',
      frame: () => {},
      stderr: (text) => this.stderr(text),
      stray: (line) => this.stray(line),
    };
  }

  frame(record: FrameRecord): void {
    this.#frames.push(record);
    this.#trace?.append(record);
  }

  stderr(text: string): void {
    const lines = (this.#partial + text).split('\n');
    this.#partial = (lines.pop() ?? '').slice(0, MAX_LINE_LENGTH);
    for (const line of lines) this.#write({ source: 'stderr', text: line.trimEnd() });
  }

  stray(line: string): void {
    this.#write({ source: 'stdout', text: line.trimEnd() });
  }

  log({ level, logger, data }: ServerLog): void {
    const text = logger === undefined ? logText(data) : `${logger}: ${logText(data)}`;
    this.#write({ source: 'log', level, text });
  }

  /** Writes buffered records. */
  async settled(): Promise<void> {
    if (this.#partial !== '') this.stderr('\n');
    await Promise.all([this.#trace?.flush(), this.#log?.flush()]);
  }

  #write(line: Omit<LogLine, 'at'>): void {
    const text = line.text.slice(0, MAX_LINE_LENGTH);
    if (text === '') return;
    const kept = { at: this.#clock.now(), ...line, text };
    this.#lines.push(kept);
    this.#log?.append(kept);
    this.#onLine(kept);
  }
}

function logText(data: Json): string {
  return typeof data === 'string' ? data : JSON.stringify(data);
}

/** The latest items, up to a maximum number. */
export class Ring<T> {
  readonly #items: T[] = [];
  readonly #capacity: number;
  #next = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  push(item: T): void {
    this.#items[this.#next] = item;
    this.#next = (this.#next + 1) % this.#capacity;
  }

  /** Oldest first. */
  items(): readonly T[] {
    if (this.#items.length < this.#capacity) return [...this.#items];
    return [...this.#items.slice(this.#next), ...this.#items.slice(0, this.#next)];
  }
}
