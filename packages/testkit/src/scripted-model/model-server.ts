// A scripted model on HTTP, at a free port of this machine. It supports the formats of Anthropic, OpenAI (both) and
// Google, and records requests. The caller must close it.

import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { playTurn } from './answer.ts';
import { Holds } from './holds.ts';
import type { ModelScript, ModelTurn } from './script.ts';
import { toolLoadingProblem } from './tool-loading.ts';
import type { WireName } from './wire.ts';
import { bodyOf, listenOnLoopback, stopListening } from '../scripted-peer.ts';

export interface ModelRequestSeen {
  readonly wire: WireName;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly model: string;
  /** The text of the body, and the parsed body; an empty object if it is not JSON. */
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface LiveModelScript extends Omit<ModelScript, 'turns' | 'otherwise'> {
  readonly turns?: readonly LiveTurn[];
  readonly otherwise?: LiveTurn;
}

export type LiveTurn = ModelTurn | ((request: ModelRequestSeen) => ModelTurn | Promise<ModelTurn>);

export interface ScriptedModel extends AsyncDisposable {
  /** Without a version, like variables such as ANTHROPIC_BASE_URL. */
  readonly url: string;
  /** Every request so far, in the order of arrival. */
  readonly requests: readonly ModelRequestSeen[];
  /** Adds turns after the remaining ones. */
  addTurns(...turns: readonly LiveTurn[]): void;
  /** Releases the answer that waits at this hold, or the next one. */
  release(name: string): void;
  /** Resolves once an answer waits at this hold. */
  reached(name: string): Promise<void>;
  /** The number of open answers. */
  readonly open: number;
  close(): Promise<void>;
}

export async function startScriptedModel(
  script: LiveModelScript = {},
  options: { readonly port?: number } = {},
): Promise<ScriptedModel> {
  const peer = new ModelPeer(script);
  const port = await listenOnLoopback(peer.server, options.port);
  return {
    url: `http://127.0.0.1:${port}`,
    requests: peer.requests,
    get open() {
      return peer.open.size;
    },
    addTurns: (...turns) => void peer.turns.push(...turns),
    release: (name) => peer.holds.release(name),
    reached: (name) => peer.holds.reached(name),
    close: () => peer.close(),
    [Symbol.asyncDispose]: () => peer.close(),
  };
}

const PATHS: readonly (readonly [RegExp, WireName])[] = [
  [/\/messages$/u, 'anthropic'],
  [/\/chat\/completions$/u, 'chat'],
  [/\/responses$/u, 'responses'],
  [/:streamGenerateContent$/u, 'google'],
];

const OUT_OF_TURNS: ModelTurn = {
  kind: 'fails',
  failure: {
    kind: 'custom',
    status: 400,
    body: '{"error":{"message":"the script has no more turns"}}',
  },
};

/** In the form of both APIs that have such rules. */
function refused(message: string): ModelTurn {
  const body = JSON.stringify({ error: { type: 'invalid_request_error', message } });
  return { kind: 'fails', failure: { kind: 'custom', status: 400, body } };
}

class ModelPeer {
  readonly requests: ModelRequestSeen[] = [];
  readonly turns: LiveTurn[];
  readonly holds = new Holds();
  readonly open = new Set<ServerResponse>();
  readonly server = createServer((request, response) => void this.#serve(request, response));
  readonly #otherwise: LiveTurn;
  #calls = 0;

  constructor(script: LiveModelScript) {
    this.turns = [...(script.turns ?? [])];
    this.#otherwise = script.otherwise ?? OUT_OF_TURNS;
  }

  async close(): Promise<void> {
    await stopListening(this.server);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyOf(request);
    if (text === undefined) return;
    this.open.add(response);
    response.on('close', () => this.open.delete(response));
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://scripted');
    if (pathname.startsWith('/script/')) {
      this.#control(pathname, searchParams, response);
      return;
    }
    const wire = PATHS.find(([path]) => path.test(pathname))?.[1];
    if (wire === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found');
      return;
    }
    const body = readObject(text);
    const inBody = body['model'];
    const inPath = /models\/([^:]+):/u.exec(pathname)?.[1] ?? '';
    const model = typeof inBody === 'string' ? inBody : inPath;
    const seen = { wire, path: pathname, headers: request.headers, model, text, body };
    this.requests.push(seen);
    const problem = toolLoadingProblem(wire, body);
    const live = problem === undefined ? this.#take(text) : refused(problem);
    const turn = typeof live === 'function' ? await live(seen) : live;
    const { holds } = this;
    await playTurn(turn, { response, holds, wire, model, nextCallId: () => this.#nextCallId() });
  }

  #control(path: string, query: URLSearchParams, response: ServerResponse): void {
    if (path === '/script/release') this.holds.release(query.get('name') ?? '');
    const answer = path === '/script/requests' ? this.requests : { held: this.holds.held };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  /** Takes the first turn whose condition the request meets. */
  #take(text: string): LiveTurn {
    const at = this.turns.findIndex((turn) => {
      const when = typeof turn === 'object' ? turn.when : undefined;
      return when === undefined || text.includes(when);
    });
    return at === -1 ? this.#otherwise : (this.turns.splice(at, 1)[0] ?? this.#otherwise);
  }

  #nextCallId(): string {
    this.#calls += 1;
    return `call_${this.#calls}`;
  }
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
