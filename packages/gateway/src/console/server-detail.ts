// One server in detail, as the console shows it: its tools with the decision about a call of each, its log, and what an
// approval would start. Only administrators see the last two, and the account that is signed in.

import { isObject, type JsonObject } from '@plugboard/base';
import type { Host } from '@plugboard/host';
import type { CatalogTool } from '@plugboard/host/relay';
import type { ServerDetail, ToolView } from '../console-api.ts';
import { appOf } from '../endpoint/index.ts';
import { decisionView } from '../traffic/index.ts';
import type { Console } from './console.ts';
import { trustView } from './own-settings.ts';
import { type ApiAnswer, type ApiRequest, NO_SERVER } from './route.ts';
import { tokensOf } from './server-view.ts';
import { signedInAt } from './sign-in.ts';

export async function serverDetail(
  shown: Console,
  { parts: [name = ''], reader: { isAdministrator } }: ApiRequest,
): Promise<ApiAnswer> {
  const { host, settings } = shown;
  const status = host.servers.find((each) => each.name === name);
  const view = shown.server(name);
  if (status === undefined || view === undefined) return NO_SERVER;
  const { state } = status;
  const own = shown.tools.filter(({ server }) => server === name);
  const ready = state.kind === 'ready' ? state : undefined;
  const isWaiting = isAdministrator && state.kind === 'untrusted';
  // A server may log the calls of any client.
  const log = isAdministrator ? host.log(name) : [];
  const body: ServerDetail = {
    ...view,
    instructions: ready?.fullInstructions ?? ready?.instructions,
    toolList: await Promise.all(own.map((tool) => toolView(host, tool))),
    log: log.map(({ level, ...line }) => ({ ...line, level })),
    trust: isWaiting ? await trustView(settings, name) : undefined,
    signedIn: isAdministrator ? await signedInAt(host, status) : undefined,
  };
  return { kind: 'json', body };
}

async function toolView(host: Host, each: CatalogTool): Promise<ToolView> {
  const { server, tool, definition } = each;
  const { title, description, inputSchema, outputSchema, annotations } = definition;
  const explained = await host.explainDecision({ server, tool }, {});
  const decision = explained.ok
    ? decisionView(explained.value.decision, undefined)
    : ({ kind: 'deny', reason: 'it is kept back', ...NO_RULE } as const);
  const said: unknown = annotations;
  return {
    name: tool,
    title,
    description,
    inputSchema,
    outputSchema,
    annotations: isObject(said) ? (said as JsonObject) : {},
    tokens: tokensOf(each),
    decision,
    app: appOf(definition as unknown as JsonObject),
  };
}

const NO_RULE = { rule: undefined, source: undefined, answer: undefined };
