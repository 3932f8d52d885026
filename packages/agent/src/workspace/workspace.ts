// An in-process MCP server that writes files and runs commands in a folder. Each connection is a separate session. Calls are
// approved before they get here.

import { join } from 'node:path';
import type { Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import {
  type Clock,
  CodedError,
  type JsonObject,
  KeyedMutex,
  type Logger,
  messageOf,
  Scope,
  shared,
  silentLogger,
  systemClock,
} from '@plugboard/base';
import { type HostEnvironment, hostEnvironment, realPathOf } from '@plugboard/host/configuration';
import { ProcessLedger } from '@plugboard/host/processes';
import { type FileBefore, type FileChange, realFolder } from '../platform/index.ts';
import { WebPages } from '../web/index.ts';
import { Jobs } from './jobs.ts';
import { createMcpServer } from './mcp-server.ts';
import { type Preview, previewOf } from './preview.ts';
import { restoreFile, type RestoreOutcome } from './restore-file.ts';
import {
  DEFAULT_LIMITS,
  type WorkspaceLimits,
  type WorkspaceParts,
  type WorkspaceSeams,
} from './workspace-parts.ts';

export interface WorkspaceOptions {
  /** The folder to work in. */
  readonly root: string;
  readonly limits?: Partial<WorkspaceLimits> | undefined;
  /** The source of Plugboard's own folders and of the environment of commands; that of this process, by default. */
  readonly environment?: Pick<HostEnvironment, 'env' | 'paths'> | undefined;
  readonly clock?: Clock | undefined;
  readonly logger?: Logger | undefined;
  /** Called for every file that a tool has changed. */
  readonly onChange?: ((change: FileChange) => void) | undefined;
  /** For tests. */
  readonly seams?: WorkspaceSeams | undefined;
}

/** For a host in this process; each connection is a separate session. */
export interface ConnectableWorkspace {
  connect(transport: Transport): Promise<void>;
}

export function createWorkspace(options: WorkspaceOptions): Workspace {
  return new Workspace(options);
}

export class Workspace implements AsyncDisposable {
  /** The background commands of all sessions. */
  readonly jobs: Jobs;
  readonly #options: WorkspaceOptions;
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #limits: WorkspaceLimits;
  readonly #scope = new Scope();
  readonly #sessions = new Set<{ close(): Promise<void> }>();
  readonly #running = new Set<Promise<unknown>>();
  #parts: Promise<WorkspaceParts> | undefined;

  constructor(options: WorkspaceOptions) {
    this.#options = options;
    this.#logger = options.logger ?? silentLogger;
    this.#clock = options.clock ?? systemClock;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    const { jobs: most, outputBytes } = this.#limits;
    this.jobs = new Jobs({ clock: this.#clock, most, outputBytes });
    shared(this.#scope.signal);
    // The signal has aborted them; a command takes a moment to end.
    this.#scope.defer(async () => void (await Promise.allSettled(this.#running)));
    this.#scope.defer(() => this.#endSessions());
  }

  server(): ConnectableWorkspace {
    return { connect: (transport) => this.#serve(transport) };
  }

  /** The change that a call of one of its tools would make to a file; `undefined` for other tools. */
  async preview(tool: string, given: JsonObject): Promise<Preview | undefined> {
    return previewOf(tool, given, await this.#open());
  }

  /** Restores a file, unless something else has changed it since. */
  async restore(file: FileBefore): Promise<RestoreOutcome> {
    return restoreFile(file, await this.#open());
  }

  /** Ends all sessions and all running commands. */
  close(): Promise<void> {
    return this.#scope.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Serves both eras on one transport: the SDK creates the server object for the one that the client speaks. */
  async #serve(transport: Transport): Promise<void> {
    const parts = await this.#open();
    const session = serveStdio(() => createMcpServer(parts), {
      transport,
      onerror: (error) =>
        this.#logger.log('debug', 'a message failed', { reason: messageOf(error) }),
    });
    this.#sessions.add(session);
    // The handler that the SDK has set.
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      this.#sessions.delete(session);
    };
  }

  async #open(): Promise<WorkspaceParts> {
    if (this.#scope.isClosed) {
      throw new CodedError('workspace-closed', 'this workspace has been closed', { data: {} });
    }
    const parts = (this.#parts ??= this.#openNow());
    parts.catch(() => {
      // The caller gets the error; the next caller tries again.
      if (this.#parts === parts) this.#parts = undefined;
    });
    return parts;
  }

  async #openNow(): Promise<WorkspaceParts> {
    const { root: given, seams = {} } = this.#options;
    const root = await realFolder(given);
    if (root === undefined) {
      const message = `there is no folder ${JSON.stringify(given)} to work in`;
      throw new CodedError('root-gone', message, { data: { root: given } });
    }
    const { env, paths } = this.#options.environment ?? hostEnvironment();
    return {
      root,
      ownPlaces: await ownPlaces(paths),
      env,
      ledger: new ProcessLedger({
        directory: join(paths.state, 'processes'),
        logger: this.#logger,
      }),
      limits: this.#limits,
      clock: this.#clock,
      logger: this.#logger,
      closing: this.#scope.signal,
      running: this.#running,
      jobs: this.jobs,
      pages: new WebPages({ environment: { env, cwd: root }, clock: this.#clock }),
      files: new KeyedMutex(),
      seams,
      onChange: this.#options.onChange ?? (() => {}),
    };
  }

  async #endSessions(): Promise<void> {
    const ends = await Promise.allSettled([...this.#sessions].map((session) => session.close()));
    for (const end of ends) {
      if (end.status === 'fulfilled') continue;
      const reason = messageOf(end.reason);
      this.#logger.log('warn', 'a session was not closed well', { reason });
    }
  }
}

/** As real paths: configuration files of users are often links. */
function ownPlaces({ config, state, cache }: HostEnvironment['paths']): Promise<string[]> {
  return Promise.all([config, join(config, 'settings.json'), state, cache].map(realPathOf));
}
