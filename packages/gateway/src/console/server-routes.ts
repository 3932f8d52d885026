// Routes for one server: its details, the actions of a person, and the doctor. Actions affect all users of the server,
// so only administrators may take them.

import { isObject, type Json } from '@plugboard/base';
import type { ServerAction } from '../console-api.ts';
import type { Console } from './console.ts';
import { examine } from './doctor.ts';
import { switchServer, trustServer } from './own-settings.ts';
import {
  type ApiAnswer,
  type ApiRequest,
  DONE,
  NO_SERVER,
  ONLY_ADMINISTRATORS,
  refused,
  type Route,
} from './route.ts';
import { serverDetail } from './server-detail.ts';
import { signIn, signOut } from './sign-in.ts';

export function serverRoutes(shown: Console): readonly Route[] {
  const { host } = shown;
  const isKnown = ([name = '']: readonly string[]): boolean =>
    host.servers.some((server) => server.name === name);
  const byAdministrator =
    (work: (request: ApiRequest) => Promise<ApiAnswer>) =>
    (request: ApiRequest): ApiAnswer | Promise<ApiAnswer> => {
      if (!request.reader.isAdministrator) return ONLY_ADMINISTRATORS;
      return isKnown(request.parts) ? work(request) : NO_SERVER;
    };
  return [
    {
      method: 'GET',
      path: '/servers/*',
      answer: (request) => serverDetail(shown, request),
    },
    {
      method: 'POST',
      path: '/servers/*',
      answer: byAdministrator((request) => act(shown, request)),
    },
    {
      method: 'POST',
      path: '/servers/*/doctor',
      answer: byAdministrator(async ({ parts: [name = ''], signal }) => ({
        kind: 'json',
        body: await examine(host, name, signal),
      })),
    },
  ];
}

async function act(
  shown: Console,
  { parts: [name = ''], body, reader, signal }: ApiRequest,
): Promise<ApiAnswer> {
  const action = readAction(body);
  const { host, settings } = shown;
  switch (action?.kind) {
    case 'connect':
      await host.tools({ servers: [name], fresh: true, signal });
      return DONE;
    case 'restart':
      await host.reconnect(name, { signal });
      return DONE;
    case 'enable':
    case 'disable':
      return switchServer(settings, name, action.kind);
    case 'trust':
      return trustServer(settings, name, action.digest);
    case 'sign-in':
      return signIn(shown, name, { reader, signal });
    case 'sign-out':
      return signOut(host, name, signal);
    case undefined:
      return refused(400, 'There is no such action');
    default:
      return action satisfies never;
  }
}

const PLAIN = ['connect', 'restart', 'enable', 'disable', 'sign-in', 'sign-out'] as const;

function readAction(body: Json | undefined): ServerAction | undefined {
  if (!isObject(body)) return undefined;
  const { kind, digest } = body;
  if (kind === 'trust') return typeof digest === 'string' ? { kind, digest } : undefined;
  const known = PLAIN.find((each) => each === kind);
  return known && { kind: known };
}
