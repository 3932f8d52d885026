// The tool lists of a host's servers. Each server is listed in the background, independently, and again when its list
// changes.

import { abortable } from '@plugboard/base';
import type { CallOutcome, Host, HostEvent, HostTool } from '@plugboard/host';
import { inWords, type ListState } from './server-notes.ts';

/** `near`: the servers in this process, and the first tools of any other. `all`: all servers. */
export type FirstWait = 'near' | 'all';

type ListedHost = Pick<Host, 'tools' | 'servers' | 'on'>;

interface ServerList {
  tools: readonly HostTool[] | undefined;
  problem: string | undefined;
  /** `again`: the list changed while it was being read. */
  listing: 'no' | 'yes' | 'again';
  /** Whether a connection was attempted, after stored tools were listed. */
  isTried: boolean;
}

const UNLISTED: ServerList = {
  tools: undefined,
  problem: undefined,
  listing: 'no',
  isTried: false,
};

export class ServerLists implements Disposable {
  readonly #host: ListedHost;
  readonly #onChange: () => void;
  readonly #lists = new Map<string, ServerList>();
  readonly #stop = new AbortController();
  readonly #waiting = new Set<() => void>();
  #events: Disposable | undefined;

  constructor(host: ListedHost, onChange: () => void) {
    this.#host = host;
    this.#onChange = onChange;
  }

  /** Aborts when the lists are closed. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Starts to list all servers, and returns at once. */
  start(): void {
    if (this.#events !== undefined || this.#stop.signal.aborted) return;
    this.#events = this.#host.on((event) => this.#onEvent(event));
    this.#listNew();
  }

  listStateOf(server: string): ListState {
    const list = this.#lists.get(server);
    return { tools: list?.tools?.length, problem: list?.problem };
  }

  [Symbol.dispose](): void {
    this.#events?.[Symbol.dispose]();
    this.#stop.abort();
  }

  #onEvent(event: HostEvent): void {
    switch (event.kind) {
      case 'tools':
        // Names depend on the tools of other servers, so a change affects all lists.
        for (const [server, { tools }] of this.#lists) {
          if (tools !== undefined || server === event.server) this.#list(server);
        }
        break;
      case 'configuration':
        for (const server of [...event.removed, ...event.changed]) this.#lists.delete(server);
        this.#listNew();
        break;
      case 'state': {
        const { name, state } = event.server;
        // The server works again, after a repair or a sign-in.
        const list = this.#lists.get(name);
        if (state.kind === 'ready' && list !== undefined && list.tools === undefined) {
          this.#list(name);
        }
        this.#notify();
        break;
      }
      default:
    }
  }

  #listNew(): void {
    for (const { name } of this.#host.servers) {
      if (!this.#lists.has(name)) this.#list(name);
    }
    this.#notify();
  }

  #notify(): void {
    this.#onChange();
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }

  #list(server: string): void {
    const list = this.#lists.get(server);
    if (list !== undefined && list.listing !== 'no') {
      list.listing = 'again';
      return;
    }
    const begun: ServerList = list ?? { ...UNLISTED };
    begun.listing = 'yes';
    this.#lists.set(server, begun);
    void this.#readList(server, begun);
  }

  /** Never rejects. */
  async #readList(server: string, list: ServerList): Promise<void> {
    const { signal } = this.#stop;
    const servers = [server];
    try {
      const first = await abortable(this.#host.tools({ servers, signal }), signal);
      this.#take(list, first);
      // Stored tools do not show the current state of the server.
      if (!list.isTried && first.lists.some(({ source }) => source === 'stored')) {
        list.isTried = true;
        this.#take(
          list,
          await abortable(this.#host.tools({ servers, signal, fresh: true }), signal),
        );
      }
    } catch {
      // The toolbox or the host was closed meanwhile, so tools are no longer offered.
      list.problem ??= 'its tools could not be listed';
    }
    const isChanged = list.listing === 'again';
    list.listing = 'no';
    this.#notify();
    if (isChanged && !signal.aborted) this.#list(server);
  }

  #take(list: ServerList, { tools, problems }: Awaited<ReturnType<ListedHost['tools']>>): void {
    const [problem] = problems;
    // If the server cannot be listed again, its earlier tools stay.
    if (tools.length > 0 || problem === undefined) list.tools = tools;
    list.problem = problem === undefined ? undefined : problemWords(problem);
    this.#notify();
  }

  /** Waits until the servers in question have listed their tools. */
  async waitForTools(waitFor: FirstWait, signal: AbortSignal): Promise<void> {
    while (!this.#isEnoughListed(waitFor) && !signal.aborted) {
      const change = new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
      });
      await abortable(change, signal);
    }
  }

  /** Whether the servers in question have listed their tools, and there is a tool if there will be any. */
  #isEnoughListed(waitFor: FirstWait): boolean {
    const { servers } = this.#host;
    const isOpen = (name: string): boolean => {
      const list = this.#lists.get(name);
      return list !== undefined && list.tools === undefined && list.listing !== 'no';
    };
    if (servers.some(({ name, transport }) => transport === 'in-process' && isOpen(name))) {
      return false;
    }
    const isEnough = waitFor === 'near' && this.tools.length > 0;
    return isEnough || !servers.some(({ name }) => isOpen(name));
  }

  /** The tools of servers that are not disabled. */
  get tools(): readonly HostTool[] {
    return this.#host.servers.flatMap(({ name, state }) =>
      state.kind === 'disabled' ? [] : (this.#lists.get(name)?.tools ?? []),
    );
  }
}

function problemWords(problem: CallOutcome): string {
  return problem.kind === 'not-connected' ? inWords(problem.reason.kind) : inWords(problem.kind);
}
