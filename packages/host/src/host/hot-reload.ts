// Keeps a running host in step with its files and its program: reads the configuration again when one of
// them changed, one reading at a time, and hands on what is new. A broken edit of a file changes nothing
// until it is mended; a file that could not be read is tried again, since nothing tells when it can be.

import { type Clock, type Logger, messageOf } from '@plugboard/base';
import type { AdmittedConfiguration } from '../admission/index.ts';
import type { Diagnostic } from '../config/index.ts';
import { type FileWatch, watchFiles } from '../platform/index.ts';
import type { BusyFile } from '../sources/index.ts';
import type { CallPolicies } from './call-permission.ts';
import type { KnownServer } from './known-servers.ts';
import { brokenSince } from './reload-plan.ts';

export interface LoadedConfiguration {
  readonly configuration: AdmittedConfiguration;
  readonly servers: readonly KnownServer[];
  /** What it says about calls. */
  readonly calls: CallPolicies;
}

export interface Step {
  readonly before: LoadedConfiguration;
  readonly now: LoadedConfiguration;
  /** `all` that counted before goes on, since a file is broken; or what is `rejected` just now. */
  readonly keeps: 'all' | 'rejected';
}

export interface HotReloadPorts {
  readonly load: () => Promise<LoadedConfiguration>;
  readonly carry: (step: Step) => Promise<LoadedConfiguration>;
  /** `none` leaves edits of files unnoticed. */
  readonly watch: 'files' | 'none';
  readonly onLoaded: (loaded: LoadedConfiguration) => void;
  /** An edit left files that cannot be read; what counted before still does. */
  readonly onKept: (diagnostics: readonly Diagnostic[]) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** When to try again to read a file that could not be opened, as where too many are open. */
const UNREAD_MS = 5000;

/** A file that another program writes all the time is looked at when it rests, or from time to time. */
const BUSY_QUIET_MS = 500;
const BUSY_MAX_WAIT_MS = 5000;

export class HotReload implements AsyncDisposable {
  readonly #ports: HotReloadPorts;
  readonly #watch: FileWatch | undefined;
  #busyWatch: FileWatch | undefined;
  /** The file that another program writes often, as it was when everything was last read. */
  #busy: BusyFile | undefined;
  #last: LoadedConfiguration;
  #running: Promise<void> | undefined;
  #retry: Disposable | undefined;
  /** Nothing changed since it was last told that files cannot be read. */
  #isRetry = false;
  #isWanted = false;
  #isClosed = false;

  constructor(first: LoadedConfiguration, ports: HotReloadPorts) {
    const { clock, logger } = ports;
    this.#ports = ports;
    this.#last = first;
    if (ports.watch === 'none') return;
    this.#watch = watchFiles(first.configuration.watched, {
      onChange: () => this.#want(),
      clock,
      logger,
    });
    // Whatever was written between the first reading and now.
    void this.#watch.ready.then(() => this.#want());
    this.#follow(first.configuration.busy);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#watch?.[Symbol.dispose]();
    this.#busyWatch?.[Symbol.dispose]();
    this.#retry?.[Symbol.dispose]();
    await this.#running;
  }

  /** Reads the configuration again, and is done once that counts, or never will. */
  async again(): Promise<'done' | 'closed'> {
    if (this.#isClosed) return 'closed';
    this.#want();
    await this.#running;
    return this.#isClosed ? 'closed' : 'done';
  }

  #follow(busy: BusyFile | undefined): void {
    this.#busy = busy;
    if (busy === undefined || this.#watch === undefined) return;
    this.#busyWatch ??= watchFiles([busy.path], {
      onChange: () => void this.#lookAtBusy(),
      quietMs: BUSY_QUIET_MS,
      maxWaitMs: BUSY_MAX_WAIT_MS,
      clock: this.#ports.clock,
      logger: this.#ports.logger,
    });
  }

  /** Most writes of it change nothing here, and one that is cut off is followed by another. */
  async #lookAtBusy(): Promise<void> {
    const { look } = this.#busy ?? {};
    const signature = await look?.();
    if (signature === undefined || this.#isClosed) return;
    if (signature !== this.#busy?.signature) this.#want();
  }

  #want(): void {
    this.#isRetry = false;
    this.#isWanted = true;
    this.#running ??= this.#run();
  }

  #wantLater(): void {
    this.#retry?.[Symbol.dispose]();
    this.#retry = this.#ports.clock.after(UNREAD_MS, () => {
      this.#want();
      this.#isRetry = true;
    });
  }

  async #run(): Promise<void> {
    while (this.#isWanted && !this.#isClosed) {
      this.#isWanted = false;
      try {
        await this.#reload();
      } catch (thrown) {
        const reason = messageOf(thrown);
        this.#ports.logger.log('error', 'could not read the configuration again', { reason });
      }
    }
    // In the same turn as the last check of `#isWanted`: a later request starts a new run.
    this.#running = undefined;
  }

  async #reload(): Promise<void> {
    const next = await this.#ports.load();
    if (this.#isClosed) return;
    const { watched } = next.configuration;
    if (this.#watch !== undefined && !isSameList(watched, this.#last.configuration.watched)) {
      await this.#watch.update(watched);
      // A file that is watched from now on may have changed before that.
      this.#isWanted = true;
    }
    this.#follow(next.configuration.busy);
    const broken = new Set(brokenSince(this.#last.configuration, next.configuration));
    const keeps = broken.size > 0 ? 'all' : 'rejected';
    this.#last = await this.#ports.carry({ before: this.#last, now: next, keeps });
    if (this.#isClosed) return;
    if (keeps === 'all') {
      const kept = next.configuration.diagnostics.filter(({ file }) => broken.has(file));
      if (!this.#isRetry) this.#ports.onKept(kept);
      if (kept.some(({ code }) => code === 'file-unreadable')) this.#wantLater();
    }
    this.#ports.onLoaded(this.#last);
  }
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
