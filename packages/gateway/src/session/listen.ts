// Answers `subscriptions/listen` of a modern client: notifies it of changed lists and resources until it disconnects or the
// gateway ends. The changes come over the host's own connections, so servers of both eras work.

import { abortable, type CancelSignal, deadline, isObject, type JsonObject } from '@plugboard/base';
import { LIST_KINDS, listChanged, type ListKind } from '@plugboard/host/relay';
import { type RpcReply, type RpcRequest, SUBSCRIPTION_ID } from '../message/index.ts';
import type { Recorder } from '../traffic/index.ts';
import { ANNOUNCED_AFTER_MS, type ClientContext } from './core.ts';

export interface ModernContext extends ClientContext {
  readonly signal: CancelSignal;
  /** Over HTTP: names and values in turn. */
  readonly headers?: readonly string[] | undefined;
  /** In place of the gateway's recorder. */
  readonly recorder?: Pick<Recorder, 'begin'> | undefined;
  /** Sends the client a notification that belongs to this request. */
  readonly notify: (method: string, params: JsonObject) => void;
}

const MOST_RESOURCES = 100;

export async function listen(
  { id, params }: RpcRequest,
  context: ModernContext,
): Promise<RpcReply> {
  const { core, endpoint, signal, notify } = context;
  const { clock } = core.options;
  const filter = isObject(params['notifications']) ? params['notifications'] : {};
  const _meta = { [SUBSCRIPTION_ID]: id };
  // The acknowledgement has to be the first message.
  const early: [string, JsonObject][] = [];
  let isAcknowledged = false;
  const send = (method: string, about: JsonObject): void => {
    if (isAcknowledged) notify(method, { ...about, _meta });
    else early.push([method, about]);
  };
  const lists = LIST_KINDS.filter((list) => filter[`${list}ListChanged`] === true);
  const due = new Map<ListKind, Disposable>();
  using _changes = core.onChange(endpoint, (list) => {
    if (!lists.includes(list) || due.has(list)) return;
    const announce = (): void => {
      due.delete(list);
      send(listChanged(list), {});
    };
    due.set(list, clock.after(ANNOUNCED_AFTER_MS, announce));
  });
  const watches = watchResources(filter['resourceSubscriptions'], context, (uri) =>
    send('notifications/resources/updated', { uri }),
  );
  const uris = await watches.granted;
  isAcknowledged = true;
  send('notifications/subscriptions/acknowledged', {
    notifications: {
      ...Object.fromEntries(lists.map((list) => [`${list}ListChanged`, true])),
      ...(uris.length === 0 ? {} : { resourceSubscriptions: uris }),
    },
  });
  for (const [method, about] of early) send(method, about);
  await anyAborted(signal, core.ending);
  for (const timer of due.values()) timer[Symbol.dispose]();
  watches.end();
  return { result: { resultType: 'complete', _meta } };
}

interface Watches {
  /** URIs whose servers agreed, or have not replied yet. */
  readonly granted: Promise<readonly string[]>;
  end(): void;
}

function watchResources(
  wanted: unknown,
  { core, endpoint, signal }: ModernContext,
  onUpdate: (uri: string) => void,
): Watches {
  const uris = Array.isArray(wanted)
    ? [...new Set(wanted.filter((uri): uri is string => typeof uri === 'string'))]
    : [];
  const begun = uris
    .slice(0, MOST_RESOURCES)
    .map((uri) => ({ uri, watch: endpoint.watch(uri, () => onUpdate(uri), signal) }));
  const settle = async (): Promise<readonly string[]> => {
    using limit = deadline(core.options.listWaitMs, core.options.clock, signal);
    const granted = await Promise.all(
      begun.map(async ({ uri, watch }) => {
        try {
          return (await abortable(watch, limit.signal)) === undefined ? [] : [uri];
        } catch {
          return [uri];
        }
      }),
    );
    return granted.flat();
  };
  return {
    granted: settle(),
    end: () => {
      for (const { watch } of begun) void watch.then((one) => one?.[Symbol.dispose]());
    },
  };
}

/** Resolves once one of the signals aborts. */
async function anyAborted(...signals: readonly CancelSignal[]): Promise<void> {
  if (signals.some(({ aborted }) => aborted)) return;
  let end = (): void => {};
  await new Promise<void>((resolve) => {
    end = resolve;
    for (const signal of signals) signal.addEventListener('abort', end, { once: true });
  });
  // The signal of the gateway lives as long as the gateway.
  for (const signal of signals) signal.removeEventListener('abort', end);
}
