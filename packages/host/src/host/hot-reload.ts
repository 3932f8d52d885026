// Keeps a running host up to date with its files and its program: reads the configuration again when one of
// them changes, one read at a time, and passes the result on. A broken edit of a file changes nothing
// until it is fixed; a file that could not be read is tried again after a while, since nothing reports that it is readable.

import { type Clock, type Logger, messageOf } from '@plugboard/base';
import type { AdmittedConfiguration } from '../admission/index.ts';
import type { Diagnostic, Scope } from '../config/index.ts';
import { type FileWatch, watchFiles } from '../platform/index.ts';
import type { BusyFile, Configuration } from '../sources/index.ts';
import type { CallPolicies } from './call-permission.ts';
import type { KnownServer } from './known-servers.ts';

export interface LoadedConfiguration {
  readonly configuration: AdmittedConfiguration;
  readonly servers: readonly KnownServer[];
  /** Its rules and hooks about calls. */
  readonly calls: CallPolicies;
}

export interface Step {
  readonly before: LoadedConfiguration;
  readonly now: LoadedConfiguration;
  /** What stays in effect: `all`, because a file is broken, or the servers that are `rejected` now. */
  readonly keeps: 'all' | 'rejected';
}

export interface HotReloadPorts {
  readonly load: () => Promise<LoadedConfiguration>;
  readonly carry: (step: Step) => Promise<LoadedConfiguration>;
  /** `none` leaves edits of files unnoticed. */
  readonly watch: 'files' | 'none';
  readonly onLoaded: (loaded: LoadedConfiguration) => void;
  /** Called when files cannot be read after an edit, and the earlier configuration stays in effect. */
  readonly onKept: (diagnostics: readonly Diagnostic[]) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** When to retry a file that could not be opened, for example because too many files are open. */
const UNREAD_MS = 5000;

/** A file that another program writes frequently is checked when it rests, and from time to time. */
const BUSY_QUIET_MS = 500;
const BUSY_MAX_WAIT_MS = 5000;

export class HotReload implements AsyncDisposable {
  readonly #ports: HotReloadPorts;
  readonly #watch: FileWatch | undefined;
  #busyWatch: FileWatch | undefined;
  /** The file that another program writes frequently, as of the last read. */
  #busy: BusyFile | undefined;
  #last: LoadedConfiguration;
  #running: Promise<void> | undefined;
  #retry: Disposable | undefined;
  /** The current read is a retry: unreadable files were already reported. */
  #isRetry = false;
  #isRequested = false;
  #isClosed = false;

  constructor(first: LoadedConfiguration, ports: HotReloadPorts) {
    const { clock, logger } = ports;
    this.#ports = ports;
    this.#last = first;
    if (ports.watch === 'none') return;
    this.#watch = watchFiles(first.configuration.watched, {
      onChange: () => this.#request(),
      clock,
      logger,
    });
    // Files may have changed between the first read and now.
    void this.#watch.ready.then(() => this.#request());
    this.#follow(first.configuration.busy);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#watch?.[Symbol.dispose]();
    this.#busyWatch?.[Symbol.dispose]();
    this.#retry?.[Symbol.dispose]();
    await this.#running;
  }

  /** Reads the configuration again. Resolves when the new one is in effect, or the read has failed. */
  async again(): Promise<'done' | 'closed'> {
    if (this.#isClosed) return 'closed';
    this.#request();
    await this.#running;
    return this.#isClosed ? 'closed' : 'done';
  }

  #follow(busy: BusyFile | undefined): void {
    this.#busy = busy;
    if (busy === undefined || this.#watch === undefined) return;
    this.#busyWatch ??= watchFiles([busy.path], {
      onChange: () => void this.#checkBusyFile(),
      quietMs: BUSY_QUIET_MS,
      maxWaitMs: BUSY_MAX_WAIT_MS,
      clock: this.#ports.clock,
      logger: this.#ports.logger,
    });
  }

  /** Most writes of this file change nothing relevant, and an incomplete one is followed by another. */
  async #checkBusyFile(): Promise<void> {
    const { look } = this.#busy ?? {};
    const signature = await look?.();
    if (signature === undefined || this.#isClosed) return;
    if (signature !== this.#busy?.signature) this.#request();
  }

  #request(): void {
    this.#isRetry = false;
    this.#isRequested = true;
    this.#running ??= this.#run();
  }

  #retryLater(): void {
    this.#retry?.[Symbol.dispose]();
    this.#retry = this.#ports.clock.after(UNREAD_MS, () => {
      this.#request();
      this.#isRetry = true;
    });
  }

  async #run(): Promise<void> {
    while (this.#isRequested && !this.#isClosed) {
      this.#isRequested = false;
      try {
        await this.#reload();
      } catch (thrown) {
        const reason = messageOf(thrown);
        this.#ports.logger.log('error', 'could not read the configuration again', { reason });
      }
    }
    // No await since the last check of `#isRequested`: a later request starts a new run.
    this.#running = undefined;
  }

  async #reload(): Promise<void> {
    const next = await this.#ports.load();
    if (this.#isClosed) return;
    const { watched } = next.configuration;
    if (this.#watch !== undefined && !isSameList(watched, this.#last.configuration.watched)) {
      await this.#watch.update(watched);
      // A newly watched file may have changed before the watch began.
      this.#isRequested = true;
    }
    this.#follow(next.configuration.busy);
    const broken = new Set(brokenSince(this.#last.configuration, next.configuration));
    const keeps = broken.size > 0 ? 'all' : 'rejected';
    this.#last = await this.#ports.carry({ before: this.#last, now: next, keeps });
    if (this.#isClosed) return;
    if (keeps === 'all') {
      const kept = next.configuration.diagnostics.filter(({ file }) => broken.has(file));
      if (!this.#isRetry) this.#ports.onKept(kept);
      if (kept.some(({ code }) => code === 'file-unreadable')) this.#retryLater();
    }
    this.#ports.onLoaded(this.#last);
  }
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

const NEVER_AWAITED: ReadonlySet<Scope> = new Set(['enterprise', 'claude-code']);

/**
 * Files that could be read before and cannot now: an edit is in progress, and the earlier settings stay in
 * effect. Files of the machine's owner are not included: breaking one must not lift its rule. Nor is the file of
 * Claude Code: changes by other programs must not delay edits of Plugboard's files.
 */
function brokenSince(
  before: Pick<Configuration, 'files'>,
  now: Pick<Configuration, 'files'>,
): readonly string[] {
  const wasRead = new Set(
    before.files.filter(({ state }) => state === 'read').map(({ path }) => path),
  );
  return now.files
    .filter(
      ({ path, state, scope }) =>
        state === 'invalid' && !NEVER_AWAITED.has(scope) && wasRead.has(path),
    )
    .map(({ path }) => path);
}
