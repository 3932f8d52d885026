// A common form of tools, resources, resource templates and prompts: each has a schema for its arguments and makes a request of
// a value. Pure.

import { isObject, type Json, type JsonObject } from '@plugboard/base';
import type {
  RunRequest,
  ServerDetail,
  ServerOffers,
  ToolView,
} from '@plugboard/gateway/console-api';
import { expandTemplate, variablesOf } from './uri-template.ts';

export type ItemKind = 'tool' | 'resource' | 'prompt';

export interface OfferedItem {
  readonly kind: ItemKind;
  /** The name of a tool or prompt; the URI or template of a resource. */
  readonly key: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** The schema of the arguments; `undefined` if there are none. */
  readonly schema: Json | undefined;
  readonly tool: ToolView | undefined;
  /** The request for a value of the form. */
  readonly request: (server: string, value: Json | undefined) => RunRequest;
}

export function toolItems(detail: Pick<ServerDetail, 'toolList'>): readonly OfferedItem[] {
  return detail.toolList.map((tool) => ({
    kind: 'tool',
    key: tool.name,
    title: tool.title,
    description: tool.description,
    schema: tool.inputSchema,
    tool,
    request: (server, value) => ({
      server,
      kind: 'tool',
      tool: tool.name,
      arguments: objectOf(value),
    }),
  }));
}

export function resourceItems({ resources, templates }: ServerOffers): readonly OfferedItem[] {
  return [
    ...resources.map(({ uri, title, name, description }): OfferedItem => ({
      kind: 'resource',
      key: uri,
      title: title ?? name,
      description,
      schema: undefined,
      tool: undefined,
      request: (server) => ({ server, kind: 'resource', uri }),
    })),
    ...templates.map(({ uriTemplate, title, name, description }): OfferedItem => ({
      kind: 'resource',
      key: uriTemplate,
      title: title ?? name,
      description,
      schema: textSchema(
        variablesOf(uriTemplate).map((each) => ({ name: each, isRequired: false })),
      ),
      tool: undefined,
      request: (server, value) => ({
        server,
        kind: 'resource',
        uri: expandTemplate(uriTemplate, textsOf(value)),
      }),
    })),
  ];
}

export function promptItems({ prompts }: ServerOffers): readonly OfferedItem[] {
  return prompts.map((prompt): OfferedItem => ({
    kind: 'prompt',
    key: prompt.name,
    title: prompt.title,
    description: prompt.description,
    schema: prompt.arguments.length === 0 ? undefined : textSchema(prompt.arguments),
    tool: undefined,
    request: (server, value) => ({
      server,
      kind: 'prompt',
      prompt: prompt.name,
      arguments: objectOf(value),
    }),
  }));
}

interface TextArgument {
  readonly name: string;
  readonly description?: string | undefined;
  readonly isRequired: boolean;
}

function textSchema(names: readonly TextArgument[]): JsonObject {
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(
      names.map(({ name, description }): [string, Json] => [
        name,
        { type: 'string', ...(description === undefined ? {} : { description }) },
      ]),
    ),
    required: names.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** Templates and prompts accept only text. */
export function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function textsOf(value: Json | undefined): ReadonlyMap<string, string> {
  return new Map(Object.entries(objectOf(value)).map(([name, one]) => [name, textOf(one)]));
}

/** Items whose name, title or description contains all words. */
export function filterItems(items: readonly OfferedItem[], query: string): readonly OfferedItem[] {
  const words = query.toLowerCase().split(/\s+/u).filter(Boolean);
  if (words.length === 0) return items;
  return items.filter(({ key, title, description }) => {
    const text = [key, title, description].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
