// Fetches the files of a remote repository, without its history, into a folder of the cache by means of git. If that fails,
// the files of the last time are used. No program that the repository or the user's configuration names is started, no
// host but the allowed one is contacted, and time and size are bounded.

import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  type Clock,
  deadline,
  DeadlineExceeded,
  err,
  type Logger,
  messageOf,
  ok,
  type Result,
} from '@plugboard/base';
import { GIT_ENVIRONMENT, GIT_OVERRIDES } from '../history/index.ts';
import {
  devNull,
  ensureOwn,
  environmentVariable,
  findProgram,
  moveOwn,
  namesIn,
  ownFolderBytes,
  removeOwnFolder,
  runProgram,
} from '../platform/index.ts';
import type { RemoteAddress } from './remote-address.ts';

export interface RemoteFolder {
  readonly path: string;
  /** Why it is not up to date. */
  readonly note?: string;
}

export interface RemoteOptions {
  /** The folder of all clones. */
  readonly base: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Limits the fetched data, and the files. */
  readonly mostBytes?: number | undefined;
  readonly refreshMs?: number | undefined;
}

const MOST_BYTES = 2 * 1024 ** 3;
const FETCH_MS = 10 * 60_000;
const REFRESH_MS = 30_000;
const CHECK_MS = 250;
const PACKS = '.git/objects/pack';

/** The only environment variables that git receives: for programs, certificates and proxies. */
const PASSED_VARIABLES = [
  ...['PATH', 'HOME', 'SSH_AUTH_SOCK', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ...['http_proxy', 'https_proxy', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY'],
];

export class RemoteClone {
  readonly #address: RemoteAddress;
  readonly #options: RemoteOptions;

  constructor(address: RemoteAddress, options: RemoteOptions) {
    this.#address = address;
    this.#options = options;
  }

  /** The folder, or a sentence on why there is none. */
  async open(): Promise<Result<RemoteFolder, string>> {
    const { base, logger, refreshMs = REFRESH_MS } = this.#options;
    const { url, name } = this.#address;
    const digest = createHash('sha256').update(url).digest('hex').slice(0, 16);
    const folder = `${name}-${digest}`;
    const path = join(base, folder);
    await ensureOwn(base);
    const program = await findProgram('git', base);
    const isKnown = (await namesIn(path)).includes('.git');
    if (program === undefined) {
      return isKnown ? ok({ path, note: 'git is not installed' }) : err('git is not installed');
    }
    if (isKnown) {
      const refreshed = await this.#fill(program, path, refreshMs);
      if (refreshed.ok) return ok({ path });
      return ok({ path, note: `${url} is as it was fetched before: ${refreshed.error}` });
    }
    logger.log('info', 'a repository is fetched', { url });
    const draft = `${folder}.${randomUUID()}.new`;
    try {
      const filled = await this.#fill(program, join(base, draft), FETCH_MS);
      if (!filled.ok) return err(`${url} could not be fetched: ${filled.error}`);
      await moveOwn(base, draft, folder);
    } catch (thrown) {
      // Another process may have fetched it first.
      if (!(await namesIn(path)).includes('.git')) return err(messageOf(thrown));
    } finally {
      await removeOwnFolder(join(base, draft));
    }
    return ok({ path });
  }

  async #fill(program: string, path: string, mostMs: number): Promise<Result<void, string>> {
    using limit = deadline(mostMs, this.#options.clock, this.#options.signal);
    const { signal } = limit;
    await ensureOwn(path);
    const run = (args: readonly string[], onOutput?: (text: string) => void) =>
      this.#git({ program, path, args, signal, onOutput });
    try {
      const initialized = await run(['init', '--quiet', '--template=']);
      if (!initialized.ok) return initialized;
      const fetched = await this.#withinBounds(path, (stop) =>
        this.#git({
          ...{ program, path, signal: AbortSignal.any([signal, stop]) },
          args: [
            ...['fetch', '--depth=1', '--no-tags', '--no-recurse-submodules', '--no-auto-gc'],
            ...['--progress', '--force', '--', this.#address.url, 'HEAD'],
          ],
        }),
      );
      if (!fetched.ok) return fetched;
      let bytes = 0;
      let rest = '';
      const measured = await run(['ls-tree', '-r', '--long', 'FETCH_HEAD'], (text) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) bytes += Number(/ (\d+)\t/.exec(line)?.[1] ?? 0);
      });
      if (!measured.ok) return measured;
      if (bytes > this.#mostBytes) return err(this.#tooLarge());
      return await run(['reset', '--quiet', '--hard', 'FETCH_HEAD']);
    } catch (thrown) {
      this.#options.signal.throwIfAborted();
      if (!(signal.reason instanceof DeadlineExceeded)) throw thrown;
      return err(`it took longer than ${Math.round(mostMs / 1000)} seconds`);
    }
  }

  get #mostBytes(): number {
    return this.#options.mostBytes ?? MOST_BYTES;
  }

  #tooLarge(): string {
    return `it has more than ${Math.round(this.#mostBytes / 1024 ** 2)} MB; clone it yourself, and serve that folder`;
  }

  /** Checks the size of the received data while git fetches. */
  async #withinBounds(
    path: string,
    fetch: (stop: AbortSignal) => Promise<Result<void, string>>,
  ): Promise<Result<void, string>> {
    const stop = new AbortController();
    let timer: Disposable | undefined;
    let isOver = false;
    const check = async (): Promise<void> => {
      if ((await ownFolderBytes(join(path, PACKS))) > this.#mostBytes) stop.abort();
      if (!isOver) timer = this.#options.clock.after(CHECK_MS, () => void check());
    };
    void check();
    try {
      const fetched = await fetch(stop.signal);
      const isLarge = (await ownFolderBytes(join(path, PACKS))) > this.#mostBytes;
      return isLarge ? err(this.#tooLarge()) : fetched;
    } catch (thrown) {
      if (stop.signal.aborted) return err(this.#tooLarge());
      throw thrown;
    } finally {
      isOver = true;
      timer?.[Symbol.dispose]();
    }
  }

  async #git(start: {
    readonly program: string;
    readonly path: string;
    readonly args: readonly string[];
    readonly signal: AbortSignal;
    readonly onOutput?: ((text: string) => void) | undefined;
  }): Promise<Result<void, string>> {
    const { program, path, args, signal, onOutput } = start;
    const { scheme } = this.#address;
    const run = runProgram({
      program,
      args: ['--no-pager', ...GIT_OVERRIDES, ...settingsFor(scheme), ...args],
      cwd: path,
      signal,
      environment: { ...passedVariables(), ...GIT_ENVIRONMENT, GIT_ALLOW_PROTOCOL: scheme, ...SSH },
      onComplaint: (piece) => this.#logProgress(piece),
    });
    try {
      for await (const piece of run.output) onOutput?.(piece.toString('utf8'));
      const { code, complaint } = await run.ended;
      return code === 0 ? ok(undefined) : err(reasonOf(complaint));
    } finally {
      run.stop();
    }
  }

  #lastProgress = '';

  /** Logs each tenth of the progress once. */
  #logProgress(piece: string): void {
    const found = [...piece.matchAll(/(Receiving objects|Resolving deltas): +(\d+)%/g)];
    const [, what, percent] = found.at(-1) ?? [];
    if (what === undefined || percent === undefined) return;
    const progress = `${what.toLowerCase()}: ${Math.floor(Number(percent) / 10) * 10} %`;
    if (progress === this.#lastProgress) return;
    this.#lastProgress = progress;
    this.#options.logger.log('info', 'a repository is fetched', {
      url: this.#address.url,
      progress,
    });
  }
}

/** Never prompts, and accepts only known hosts. */
const SSH = {
  GIT_SSH_COMMAND: 'ssh -o BatchMode=yes -o StrictHostKeyChecking=yes',
  GIT_SSH_VARIANT: 'ssh',
} as const;

function settingsFor(scheme: RemoteAddress['scheme']): readonly string[] {
  return [
    `protocol.${scheme}.allow=always`,
    // A redirect leads to a host that was not allowed.
    'http.followRedirects=false',
    `core.excludesFile=${devNull}`,
    // Received as one file, whose size can be checked.
    'fetch.unpackLimit=1',
    'gc.auto=0',
    'maintenance.auto=false',
    'fetch.recurseSubmodules=false',
  ].flatMap((setting) => ['-c', setting]);
}

function passedVariables(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    PASSED_VARIABLES.flatMap((name) => {
      const value = environmentVariable(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

const LONGEST_REASON = 300;

function reasonOf(complaint: string): string {
  const lines = complaint.split(/[\n\r]/);
  const line = lines.findLast((one) => /^(?:fatal|error|ssh):/.test(one)) ?? 'git failed';
  return line
    .replace(/^(?:fatal|error): /, '')
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, LONGEST_REASON)
    .trim();
}
