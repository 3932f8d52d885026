// What a scripted server has besides tools: resources, templates, prompts, completions and skills, in both eras, and
// the tool `touch`, which announces a changed resource. Subscriptions follow the era: a request per resource, or one
// stream for all.

import type { JsonObject } from '@plugboard/base';
import {
  INVALID_PARAMS,
  type IncomingRequest,
  objectOf,
  type Outgoing,
  type RequestId,
} from './json-rpc.ts';
import type { Era, Library } from './script.ts';
import { type Outcome, text, type Tool } from './tool-call.ts';

const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills';
const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId';

/** Methods whose results have a cache lifetime. */
export const CACHEABLE: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'skills/list',
  'skills/get',
]);

export interface LibraryRequest {
  readonly request: IncomingRequest;
  readonly era: Era;
  readonly signal: AbortSignal;
  readonly send: (message: Outgoing) => void;
}

interface Stream {
  readonly id: RequestId;
  readonly uris: ReadonlySet<unknown>;
  readonly lists: ReadonlySet<string>;
  readonly send: (message: Outgoing) => void;
}

export class LibraryDesk {
  readonly #library: Library;
  readonly #subscribed = new Set<unknown>();
  readonly #streams = new Set<Stream>();
  #reads = 0;

  constructor(library: Library) {
    this.#library = library;
  }

  get capabilities(): JsonObject {
    const { skills, listChanged = false } = this.#library;
    return {
      tools: {},
      resources: { subscribe: true, listChanged },
      prompts: { listChanged },
      completions: {},
      ...(skills === undefined ? {} : { extensions: { [SKILLS_EXTENSION]: {} } }),
    };
  }

  /** `undefined` for other methods. */
  answer(asked: LibraryRequest): Outcome | Promise<Outcome> | undefined {
    const { params } = asked.request;
    const { resources = [], templates = [], prompts = [], skills } = this.#library;
    switch (asked.request.method) {
      case 'resources/list':
        return result({ resources: withoutBodies(resources) });
      case 'resources/templates/list':
        return templates === 'unheard-of' ? undefined : result({ resourceTemplates: templates });
      case 'resources/read':
        return this.#read(params['uri']);
      case 'resources/subscribe':
        this.#subscribed.add(params['uri']);
        return result({});
      case 'resources/unsubscribe':
        this.#subscribed.delete(params['uri']);
        return result({});
      case 'subscriptions/listen':
        return this.#listen(asked);
      case 'prompts/list':
        return result({ prompts: prompts.map(({ messages: _, ...listed }) => listed) });
      case 'prompts/get':
        return this.#prompt(params['name']);
      case 'completion/complete':
        return this.#complete(objectOf(params['argument']));
      case 'skills/list':
        return skills === undefined ? undefined : result({ skills });
      case 'skills/get':
        return this.#skill(params['uri']);
      default:
        return undefined;
    }
  }

  /** Announces a changed resource `times` times to its subscribers, or to all clients with `anyway`. */
  get touch(): Tool {
    return {
      definition: { name: 'touch', description: 'Says that a resource changed' },
      run: ({ args, notify }) => {
        const { uri = '', times = 1, anyway = false } = args;
        const method = 'notifications/resources/updated';
        for (let count = 0; count < Number(times); count += 1) {
          const isHeard = this.#subscribed.has(uri) || anyway === true;
          if (isHeard && this.#streams.size === 0) notify(method, { uri });
          for (const stream of this.#streams) {
            if (!stream.uris.has(uri) && anyway !== true) continue;
            stream.send(news(stream, method, { uri }));
          }
        }
        return text(`touched ${JSON.stringify(uri)}`);
      },
    };
  }

  /** Announces a changed list. */
  get announce(): Tool {
    return {
      definition: { name: 'announce', description: 'Says that a list changed' },
      run: ({ args, notify }) => {
        const list = textOrEmpty(args['list']);
        const method = `notifications/${list}/list_changed`;
        if (this.#streams.size === 0) notify(method, {});
        for (const stream of this.#streams) {
          if (stream.lists.has(`${list}ListChanged`)) stream.send(news(stream, method, {}));
        }
        return text('announced');
      },
    };
  }

  #read(uri: unknown): Outcome {
    const found = (this.#library.resources ?? []).find((resource) => resource.uri === uri);
    if (found === undefined) return failed(`Resource not found: ${JSON.stringify(uri)}`);
    this.#reads += 1;
    const { mimeType, text: said, blob, _meta } = found;
    const type = {
      ...(mimeType === undefined ? {} : { mimeType }),
      ...(_meta === undefined ? {} : { _meta }),
    };
    // A count, which distinguishes a cached answer from a new one.
    const body = blob === undefined ? { text: said ?? `read ${this.#reads}` } : { blob };
    return result({ contents: [{ uri: found.uri, ...type, ...body }] });
  }

  #prompt(name: unknown): Outcome {
    const found = (this.#library.prompts ?? []).find((prompt) => prompt.name === name);
    if (found === undefined) return failed(`Unknown prompt: ${JSON.stringify(name)}`);
    return result({ messages: found.messages ?? [] });
  }

  #complete({ name, value }: JsonObject): Outcome {
    const all = this.#library.completions?.[textOrEmpty(name)] ?? [];
    const values = all.filter((candidate) => candidate.startsWith(textOrEmpty(value)));
    return result({ completion: { values, hasMore: false } });
  }

  #skill(uri: unknown): Outcome {
    const found = (this.#library.skills ?? []).find((skill) => skill['uri'] === uri);
    return found === undefined ? failed('Unknown skill') : result({ skill: found });
  }

  /** Stays open until the client disconnects. */
  #listen({ request, era, signal, send }: LibraryRequest): Promise<Outcome> | undefined {
    if (era === 'legacy') return undefined;
    const filter = objectOf(request.params['notifications']);
    const uris = filter['resourceSubscriptions'];
    const stream: Stream = {
      id: request.id,
      uris: new Set(Array.isArray(uris) ? uris : []),
      lists: new Set(Object.keys(filter).filter((key) => filter[key] === true)),
      send,
    };
    this.#streams.add(stream);
    send(news(stream, 'notifications/subscriptions/acknowledged', { notifications: filter }));
    return new Promise((resolve) => {
      const leave = (): void => {
        this.#streams.delete(stream);
        resolve({ kind: 'nothing' });
      };
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
    });
  }
}

function news({ id }: Stream, method: string, params: JsonObject): Outgoing {
  return { jsonrpc: '2.0', method, params: { ...params, _meta: { [SUBSCRIPTION_KEY]: id } } };
}

function withoutBodies(resources: NonNullable<Library['resources']>): readonly JsonObject[] {
  return resources
    .filter(({ hidden }) => hidden !== true)
    .map(({ text: _text, blob: _blob, ...members }) => members);
}

function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function result(value: JsonObject): Outcome {
  return { kind: 'result', result: value };
}

function failed(message: string): Outcome {
  return { kind: 'error', error: { code: INVALID_PARAMS, message } };
}
