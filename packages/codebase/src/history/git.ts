// Runs git in a tree that may be hostile. Its configuration, attributes and hooks can name programs: none of them is
// started, nothing is fetched, the user's configuration is not read, and time and output are bounded.

import { resolve } from 'node:path';
import {
  CodedError,
  type Clock,
  deadline,
  DeadlineExceeded,
  err,
  ok,
  type Result,
} from '@plugboard/base';
import { devNull, findProgram, runProgram } from '../platform/index.ts';
import { ownerOfRepository } from './own-repository.ts';

export interface GitOutput {
  readonly text: string;
  /** False if the limit of time or size was reached; `text` is the output until then. */
  readonly isComplete: boolean;
}

const MOST_MS = 15_000;
const MOST_BYTES = 2 * 1024 * 1024;

/** Every git command begins with these. */
export const GIT_ENVIRONMENT = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: devNull,
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_PAGER: 'cat',
} as const;

/** Overrides settings by which a repository could make git start programs or read the user's files. */
export const GIT_OVERRIDES = [
  'core.fsmonitor=false',
  `core.hooksPath=${devNull}`,
  `core.attributesFile=${devNull}`,
  'core.pager=cat',
  'core.sshCommand=false',
  'core.askPass=false',
  'credential.helper=',
  'protocol.allow=never',
  'log.showSignature=false',
  'gpg.program=false',
  'gpg.ssh.program=false',
  'gpg.x509.program=false',
  'diff.external=',
  'diff.submodule=short',
  'submodule.recurse=false',
  `mailmap.file=${devNull}`,
  'color.ui=never',
].flatMap((setting) => ['-c', setting]);

export class Git {
  readonly #root: string;
  readonly #clock: Clock;
  #program: Promise<Result<string, string>> | undefined;

  constructor(root: string, clock: Clock) {
    this.#root = root;
    this.#clock = clock;
  }

  /** The output, or a sentence on why there is none. */
  async run(args: readonly string[], signal: AbortSignal): Promise<Result<GitOutput, string>> {
    this.#program ??= this.#findUsable(signal);
    const program = await this.#program;
    if (!program.ok) {
      // A repository may be created later.
      this.#program = undefined;
      return program;
    }
    return this.#outputOf(program.value, args, signal);
  }

  async #findUsable(signal: AbortSignal): Promise<Result<string, string>> {
    const program = await findProgram('git', this.#root);
    if (program === undefined) return err('git is not installed; install it to ask about history');
    const args = ['rev-parse', '--absolute-git-dir', '--show-toplevel', '--git-common-dir'];
    const found = await this.#outputOf(program, args, signal);
    if (!found.ok) return found;
    const [folder = '', top = '', common = ''] = found.value.text.split('\n');
    // This fails if no branch is checked out.
    const branch = await this.#outputOf(program, ['symbolic-ref', '--quiet', 'HEAD'], signal);
    const repository = {
      folder,
      top,
      common: resolve(this.#root, common),
      branch: branch.ok ? branch.value.text.trim() : 'HEAD',
    };
    const owner = await ownerOfRepository(repository);
    return owner === 'itself' ? ok(program) : err(NOT_OWN[owner]);
  }

  async #outputOf(
    program: string,
    args: readonly string[],
    signal: AbortSignal,
  ): Promise<Result<GitOutput, string>> {
    using limit = deadline(MOST_MS, this.#clock, signal);
    const run = runProgram({
      program,
      args: ['--no-pager', '--no-optional-locks', ...GIT_OVERRIDES, ...args],
      cwd: this.#root,
      signal: limit.signal,
      environment: GIT_ENVIRONMENT,
    });
    const pieces: Buffer[] = [];
    let bytes = 0;
    let isComplete = true;
    try {
      for await (const piece of run.output) {
        pieces.push(piece);
        bytes += piece.length;
        if (bytes <= MOST_BYTES) continue;
        isComplete = false;
        break;
      }
    } catch (thrown) {
      signal.throwIfAborted();
      if (!(limit.signal.reason instanceof DeadlineExceeded)) throw thrown;
      isComplete = false;
    } finally {
      run.stop();
    }
    const text = Buffer.concat(pieces).subarray(0, MOST_BYTES).toString('utf8');
    const { code, complaint } = await run.ended.catch((thrown: unknown) => {
      throw new CodedError('git-failed', 'git could not be started', { data: {}, cause: thrown });
    });
    if (isComplete && code !== 0) return err(reasonOf(complaint));
    return ok({ text, isComplete });
  }
}

export const NO_COMMITS = 'the repository has no commits yet';

const NOT_OWN = {
  elsewhere:
    'the .git of this tree leads to a repository elsewhere, which is not read; start the server there instead',
  borrowed:
    'the repository takes commits from a folder outside of this tree, which is not read; if you cloned it so (--shared, ' +
    '--reference), this gives it its own: git repack -a -d && rm "$(git rev-parse --git-path objects/info/alternates)"',
};

/** Git's own messages may quote files that the repository makes it read, which may be any file of the user. */
const REASONS: readonly (readonly [complaint: RegExp, reason: string])[] = [
  [/not a git repository/, 'the tree is not in a git repository'],
  [
    /dubious ownership/,
    'git does not read the repository, since it belongs to another user of this machine',
  ],
  [/does not have any commits yet/, NO_COMMITS],
  [/no such path|there is no path/i, 'the last commit does not have this file'],
  [/has only \d+ lines?/, 'the file has fewer lines in the last commit'],
];

function reasonOf(complaint: string): string {
  const found = REASONS.find(([pattern]) => pattern.test(complaint));
  return found?.[1] ?? 'git failed; run "git log" there to see why';
}
