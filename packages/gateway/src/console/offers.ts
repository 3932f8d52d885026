// The route for what a server offers besides tools: resources, templates and prompts. It connects to a server that
// never listed them, and lists its tools, too.

import type { Host } from '@plugboard/host';
import { requestText } from '@plugboard/host/relay';
import type { ServerOffers } from '../console-api.ts';
import { type ApiAnswer, type ApiRequest, NO_SERVER, refused, type Route } from './route.ts';

/** More items than this would be too many for a page. */
const MOST_ITEMS = 5000;

export function offersRoute(host: Host): Route {
  return {
    method: 'GET',
    path: '/servers/*/offers',
    answer: (request) => offersOf(host, request),
  };
}

async function offersOf(host: Host, { parts, signal }: ApiRequest): Promise<ApiAnswer> {
  const [server = ''] = parts;
  if (host.servers.every(({ name }) => name !== server)) return NO_SERVER;
  const asked = { servers: [server], signal };
  // Listing the tools announces them to readers.
  await host.tools(asked);
  const lists = await Promise.all([
    host.resources.list(asked),
    host.resources.templates(asked),
    host.prompts.list(asked),
  ]);
  for (const problem of lists.flatMap(({ problems }) => problems)) {
    // A server without resources may still have prompts.
    if (problem.kind === 'unsupported') continue;
    return refused(409, requestText({ ...problem, tool: '' }, 'The list'));
  }
  const [{ resources }, { templates }, { prompts }] = lists;
  const body: ServerOffers = {
    resources: resources.slice(0, MOST_ITEMS).map(({ uri, name, ...about }) => ({
      uri,
      name,
      ...aboutOf(about),
    })),
    templates: templates.slice(0, MOST_ITEMS).map(({ uriTemplate, name, ...about }) => ({
      uriTemplate,
      name,
      ...aboutOf(about),
    })),
    prompts: prompts.slice(0, MOST_ITEMS).map(({ prompt, arguments: given, ...about }) => ({
      name: prompt,
      ...aboutOf(about),
      arguments: given.map(({ name: argument, description, required }) => ({
        name: argument,
        description,
        isRequired: required,
      })),
    })),
  };
  return { kind: 'json', body };
}

interface About {
  readonly title: string | undefined;
  readonly description: string;
  readonly fullDescription?: string;
}

/** A person gets the full description. */
function aboutOf({ title, description, fullDescription = description }: About): {
  readonly title: string | undefined;
  readonly description: string | undefined;
} {
  return { title, description: fullDescription === '' ? undefined : fullDescription };
}
