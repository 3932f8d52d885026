// A session with something done around each of its requests. Everything else is the session's own.

import type { Result } from '@plugboard/base';
import type {
  ProtocolFailure,
  PromptPort,
  ResourcePort,
  Session,
  SkillPort,
  Watching,
} from '../protocol/index.ts';

export type AroundRequest = <T>(
  work: Promise<Result<T, ProtocolFailure>>,
) => Promise<Result<T, ProtocolFailure>>;

export interface Around {
  /** Around every list and every call; a sign of life is neither. */
  readonly request: AroundRequest;
  /** For as long as a resource is watched. */
  readonly hold?: () => Disposable;
  /** In place of the session's own. */
  readonly closed?: Session['closed'];
  readonly watchLog?: Session['watchLog'];
  /** Is told of every call before it is made. */
  readonly beforeCall?: (call: Parameters<Session['callTool']>[0]) => void;
}

export function sessionAround(session: Session, around: Around): Session {
  const { request, hold, closed, watchLog, beforeCall } = around;
  return {
    get era() {
      return session.era;
    },
    get protocolVersion() {
      return session.protocolVersion;
    },
    get server() {
      return session.server;
    },
    get instructions() {
      return session.instructions;
    },
    closed: closed ?? session.closed,
    listTools: (cursor, options) => request(session.listTools(cursor, options)),
    callTool(call, options) {
      beforeCall?.(call);
      return request(session.callTool(call, options));
    },
    get features() {
      return session.features;
    },
    resources: resourcesAround(session.resources, { request, hold }),
    prompts: promptsAround(session.prompts, request),
    skills: skillsAround(session.skills, request),
    complete: (wanted, options) => request(session.complete(wanted, options)),
    credentialsMark: (signal) => session.credentialsMark(signal),
    ping: (options) => session.ping(options),
    watchLists: (onChange) => session.watchLists(onChange),
    watchLog: watchLog ?? ((onLog) => session.watchLog(onLog)),
    watchNotifications: (onNotification) => session.watchNotifications(onNotification),
    notify: (notification) => session.notify(notification),
    close: () => session.close(),
  };
}

function resourcesAround(
  resources: ResourcePort,
  { request, hold }: Pick<Around, 'request'> & { readonly hold: Around['hold'] | undefined },
): ResourcePort {
  return {
    list: (cursor, options) => request(resources.list(cursor, options)),
    templates: (cursor, options) => request(resources.templates(cursor, options)),
    read: (uri, options) => request(resources.read(uri, options)),
    watch(uri, onUpdate, options) {
      const watching = resources.watch(uri, onUpdate, options);
      const begun = request(watching.begun);
      const held = hold?.();
      return {
        begun,
        [Symbol.dispose]() {
          watching[Symbol.dispose]();
          held?.[Symbol.dispose]();
        },
      } satisfies Watching;
    },
  };
}

function promptsAround(prompts: PromptPort, request: AroundRequest): PromptPort {
  return {
    list: (cursor, options) => request(prompts.list(cursor, options)),
    get: (prompt, options) => request(prompts.get(prompt, options)),
  };
}

function skillsAround(skills: SkillPort, request: AroundRequest): SkillPort {
  return {
    list: (cursor, options) => request(skills.list(cursor, options)),
    get: (uri, options) => request(skills.get(uri, options)),
    read: (skill, file, options) => request(skills.read(skill, file, options)),
  };
}
