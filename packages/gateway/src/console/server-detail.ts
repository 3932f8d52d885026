// One server in detail, as the console shows it: its tools with the decision about a call of each, its log, and what an
// approval would start.

import { isObject, type JsonObject } from '@plugboard/base';
import type { Host, ServerStatus } from '@plugboard/host';
import type { CatalogTool } from '@plugboard/host/relay';
import type {
  ServerDetail,
  ServerView,
  SignedInView,
  ToolView,
  TrustView,
} from '../console-api.ts';
import { appOf } from '../endpoint/index.ts';
import { decisionView } from '../traffic/index.ts';
import { tokensOf } from './server-view.ts';

export interface DetailParts {
  readonly host: Host;
  readonly status: ServerStatus;
  readonly view: ServerView;
  readonly tools: readonly CatalogTool[];
  readonly trust: TrustView | undefined;
  readonly signedIn: SignedInView | undefined;
  readonly log: ReturnType<Host['log']>;
}

export async function serverDetail(parts: DetailParts): Promise<ServerDetail> {
  const { host, status, view, trust, signedIn } = parts;
  const { state, name } = status;
  const own = parts.tools.filter(({ server }) => server === name);
  const ready = state.kind === 'ready' ? state : undefined;
  return {
    ...view,
    instructions: ready?.fullInstructions ?? ready?.instructions,
    toolList: await Promise.all(own.map((tool) => toolView(host, tool))),
    log: parts.log.map(({ level, ...line }) => ({ ...line, level })),
    trust,
    signedIn,
  };
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
