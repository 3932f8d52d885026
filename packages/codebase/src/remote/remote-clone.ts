// The files of a remote repository, without its history, in our own folder: fetched by this machine's git when it is
// opened, or, if that fails, as they were the last time. Nothing that the repository or the user's configuration names
// is started, no host other than the allowed one is contacted, and time and size are bounded.

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
  /** Why it is not as new as it could be. */
  readonly note?: string;
}

export interface RemoteOptions {
  /** Where clones are kept. */
  readonly base: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Of what is fetched, and of the files that it becomes. */
  readonly mostBytes?: number | undefined;
  readonly refreshMs?: number | undefined;
}

const MOST_BYTES = 2 * 1024 ** 3;
const FETCH_MS = 10 * 60_000;
const REFRESH_MS = 30_000;
const LOOK_MS = 250;
const PACKS = '.git/objects/pack';

/** Programs and proxies of this machine; no other variable of the environment. */
const PASSED = [
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

  /** Its folder, or a sentence on why there is none. */
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
      // Another process may have been faster.
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
      const begun = await run(['init', '--quiet', '--template=']);
      if (!begun.ok) return begun;
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

  /** What a server sends is looked at while it comes. */
  async #withinBounds(
    path: string,
    fetch: (stop: AbortSignal) => Promise<Result<void, string>>,
  ): Promise<Result<void, string>> {
    const stop = new AbortController();
    let looking: Disposable | undefined;
    let isOver = false;
    const look = async (): Promise<void> => {
      if ((await ownFolderBytes(join(path, PACKS))) > this.#mostBytes) stop.abort();
      if (!isOver) looking = this.#options.clock.after(LOOK_MS, () => void look());
    };
    void look();
    try {
      const fetched = await fetch(stop.signal);
      const isLarge = (await ownFolderBytes(join(path, PACKS))) > this.#mostBytes;
      return isLarge ? err(this.#tooLarge()) : fetched;
    } catch (thrown) {
      if (stop.signal.aborted) return err(this.#tooLarge());
      throw thrown;
    } finally {
      isOver = true;
      looking?.[Symbol.dispose]();
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
      environment: { ...passed(), ...GIT_ENVIRONMENT, GIT_ALLOW_PROTOCOL: scheme, ...SSH },
      onComplaint: (piece) => this.#tell(piece),
    });
    try {
      for await (const piece of run.output) onOutput?.(piece.toString('utf8'));
      const { code, complaint } = await run.ended;
      return code === 0 ? ok(undefined) : err(reasonOf(complaint));
    } finally {
      run.stop();
    }
  }

  #told = '';

  /** How far it is, each tenth once. */
  #tell(piece: string): void {
    const found = [...piece.matchAll(/(Receiving objects|Resolving deltas): +(\d+)%/g)];
    const [, what, percent] = found.at(-1) ?? [];
    if (what === undefined || percent === undefined) return;
    const progress = `${what.toLowerCase()}: ${Math.floor(Number(percent) / 10) * 10} %`;
    if (progress === this.#told) return;
    this.#told = progress;
    this.#options.logger.log('info', 'a repository is fetched', {
      url: this.#address.url,
      progress,
    });
  }
}

/** Never asks, and never takes a host that is not known. */
const SSH = {
  GIT_SSH_COMMAND: 'ssh -o BatchMode=yes -o StrictHostKeyChecking=yes',
  GIT_SSH_VARIANT: 'ssh',
} as const;

function settingsFor(scheme: RemoteAddress['scheme']): readonly string[] {
  return [
    `protocol.${scheme}.allow=always`,
    // Elsewhere is not what was allowed.
    'http.followRedirects=false',
    `core.excludesFile=${devNull}`,
    // As one file, whose size can be watched.
    'fetch.unpackLimit=1',
    'gc.auto=0',
    'maintenance.auto=false',
    'fetch.recurseSubmodules=false',
  ].flatMap((setting) => ['-c', setting]);
}

function passed(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    PASSED.flatMap((name) => {
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
