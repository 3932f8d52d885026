// A codebase that can be served in this process, over stdio and over HTTP, any number of times at once. The parts are opened
// for the first client, and closed with the codebase.

import { InMemoryServerEventBus, type Transport } from '@modelcontextprotocol/server';
import { serveStdio, type StdioServerHandle } from '@modelcontextprotocol/server/stdio';
import {
  type Clock,
  CodedError,
  type Logger,
  messageOf,
  silentLogger,
  systemClock,
} from '@plugboard/base';
import { ownVersion, type StandardStreams, takeStandardStreams } from '../platform/index.ts';
import { type CodebaseSettings, type OpenParts, openParts } from './open-parts.ts';
import { type HttpAddress, type HttpEntrance, openHttp } from './http/http-entrance.ts';
import { type Health, Routes } from './http/routes.ts';
import { createMcpServer, SERVER_NAME, type ServedCodebase } from './mcp-server.ts';
import { FileListing } from './resources/file-listing.ts';
import { FILES_URI } from './resources/files-resource.ts';
import { LineTransport } from './stdio/line-transport.ts';
import type { AnswerFormat } from './tools/tool.ts';

export type CodebaseOptions = CodebaseSettings & CodebasePorts;

interface CodebasePorts {
  readonly clock?: Clock | undefined;
  readonly logger?: Logger | undefined;
  /**
   * `plain`, the default. `compat`: answers also have their data as `structuredContent`, with `file_path` and
   * `line_number` as additional names, for clients that expect those. It costs tokens if a client shows both forms.
   */
  readonly format?: AnswerFormat | undefined;
  /** Opens the parts; tests replace it. */
  readonly open?: typeof openParts | undefined;
}

/** A host in this process connects to it; each connection is its own session. */
export interface ConnectableCodebase {
  connect(transport: Transport): Promise<void>;
}

export interface StdioEntrance {
  /** Resolves when the client has disconnected, or after `close`. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

export function createCodebase(options: CodebaseOptions): Codebase {
  return new Codebase(options);
}

type OpenedCodebase = ServedCodebase & { readonly opened: OpenParts };

export class Codebase implements AsyncDisposable {
  readonly #options: CodebaseOptions;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #entrances = new Set<{ close(): Promise<void> }>();
  #served: Promise<OpenedCodebase> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: CodebaseOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#logger = options.logger ?? silentLogger;
  }

  server(): ConnectableCodebase {
    return {
      connect: async (transport) => {
        await this.#serveConnection(transport);
      },
    };
  }

  async serveStdio(streams?: StandardStreams): Promise<StdioEntrance> {
    // First of all, since any output to stdout before it would be on the wire.
    const transport = new LineTransport(streams ?? takeStandardStreams(), this.#clock);
    const { handle, ended } = await this.#serveConnection(transport);
    return { ended, close: () => handle.close() };
  }

  async serveHttp(address: HttpAddress = {}): Promise<HttpEntrance> {
    const served = await this.#open();
    const { parts } = served;
    const bus = new InMemoryServerEventBus();
    const listening = parts.changes.on(() => {
      bus.publish({ kind: 'resource_updated', uri: FILES_URI });
    });
    const ports = { clock: this.#clock, logger: this.#logger };
    const routes = new Routes({
      ...ports,
      bus,
      createForSession: () => createMcpServer(served, 'subscribers'),
      createForRequest: () => createMcpServer(served, 'none'),
      health: () => healthOf(served),
    });
    try {
      const entrance = await openHttp(address, routes, ports);
      return this.#track({
        ...entrance,
        close: async () => {
          listening[Symbol.dispose]();
          await entrance.close();
        },
      });
    } catch (thrown) {
      listening[Symbol.dispose]();
      await routes.close();
      throw thrown;
    }
  }

  /** Ends all sessions, stops listening and closes the indexes. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Serves both eras on one transport: the SDK creates the server object for the era of the client. */
  async #serveConnection(
    transport: Transport,
  ): Promise<{ readonly handle: StdioServerHandle; readonly ended: Promise<void> }> {
    const served = await this.#open();
    let resolveEnded: () => void = () => {};
    const ended = new Promise<void>((resolve) => {
      resolveEnded = resolve;
    });
    const handle = serveStdio(
      ({ era }) => createMcpServer(served, era === 'modern' ? 'listeners' : 'subscribers'),
      {
        transport,
        onerror: (error) =>
          this.#logger.log('debug', 'a message failed', { reason: messageOf(error) }),
      },
    );
    this.#track(handle);
    // The SDK has set its own handler by now.
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      this.#entrances.delete(handle);
      resolveEnded();
    };
    return { handle, ended };
  }

  #track<Entrance extends { close(): Promise<void> }>(entrance: Entrance): Entrance {
    this.#entrances.add(entrance);
    return entrance;
  }

  async #open(): Promise<OpenedCodebase> {
    if (this.#closing !== undefined) {
      throw new CodedError('codebase-closed', 'this codebase has been closed', { data: {} });
    }
    const served = (this.#served ??= this.#openParts());
    served.catch(() => {
      // The caller gets the error; the next caller tries again.
      if (this.#served === served) this.#served = undefined;
    });
    return served;
  }

  async #openParts(): Promise<OpenedCodebase> {
    const { open = openParts, format = 'plain', ...settings } = this.#options;
    const opened = await open(settings, { clock: this.#clock, logger: this.#logger });
    const { parts } = opened;
    return { parts, opened, format, listing: new FileListing(parts), version: ownVersion() };
  }

  async #close(): Promise<void> {
    const results = await Promise.allSettled(
      [...this.#entrances].map((entrance) => entrance.close()),
    );
    for (const result of results) {
      if (result.status === 'fulfilled') continue;
      const reason = messageOf(result.reason);
      this.#logger.log('warn', 'an entrance was not closed well', { reason });
    }
    this.#entrances.clear();
    const served = await this.#served?.catch(() => undefined);
    await served?.opened[Symbol.asyncDispose]();
  }
}

async function healthOf({ parts, version }: OpenedCodebase): Promise<Health> {
  const state = await parts.index.state();
  const isThere = (await parts.root.stat('.')).ok;
  return {
    status: isThere ? 'ok' : 'root-gone',
    name: SERVER_NAME,
    version,
    service: { name: SERVER_NAME, version },
    transport: 'http',
    mode: state.semanticCoverage > 0 ? 'hybrid' : 'lexical',
    index: {
      state: state.kind,
      files: state.files,
      chunks: state.chunks,
      semantic_coverage: state.semanticCoverage,
      ...(state.note === undefined ? {} : { note: state.note }),
    },
  };
}
