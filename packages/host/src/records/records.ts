// The records of all servers of a host.

import type { Clock, Logger } from '@plugboard/base';
import { sweepToBin } from '../platform/index.ts';
import { type LogLine, logFolder, recordFiles, traceFolder } from './record-files.ts';
import { ServerRecords } from './server-records.ts';

export interface RecordsOptions {
  /** The user's state folder. */
  readonly state: string;
  /** `bodies` also stores the contents of frames, with possible secrets hidden. */
  readonly keep: 'metadata' | 'bodies';
  readonly clock: Clock;
  readonly logger: Logger;
}

const FORGOTTEN_AFTER_MS = 30 * 24 * 60 * 60_000;
const MAX_FILES = 500;

export class Records {
  readonly #options: RecordsOptions;
  readonly #servers = new Map<string, ServerRecords>();

  constructor(options: RecordsOptions) {
    this.#options = options;
  }

  add(
    server: { readonly name: string; readonly fingerprint: string | undefined },
    onLine: (line: LogLine) => void = () => {},
  ): ServerRecords {
    const { name, fingerprint } = server;
    const { state, keep, clock, logger } = this.#options;
    const records = new ServerRecords({
      files: fingerprint === undefined ? undefined : recordFiles(state, { name, fingerprint }),
      keeps: keep,
      clock,
      onLine,
      onUnwritable: (code) =>
        logger.log('warn', 'could not keep the records of a server', { server: name, code }),
    });
    this.#servers.set(name, records);
    return records;
  }

  get(name: string): ServerRecords | undefined {
    return this.#servers.get(name);
  }

  /** Writes buffered records, and removes old ones. */
  async settled(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((records) => records.settled()));
    const { state, clock } = this.#options;
    const limits = { now: clock.now(), keptMs: FORGOTTEN_AFTER_MS, maxFiles: MAX_FILES };
    await Promise.all([
      sweepToBin(traceFolder(state), limits),
      sweepToBin(logFolder(state), limits),
    ]);
  }
}
