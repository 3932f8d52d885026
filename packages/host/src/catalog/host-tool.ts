// A tool in the form for a model.

import type { JsonObject } from '@plugboard/base';
import { modelText } from './capped-text.ts';
import type { CatalogTool } from './catalog.ts';
import type { ToolAnnotations } from '../protocol/index.ts';
import { claimsOf, type ToolClaims } from './tool-claims.ts';

export interface HostTool extends ToolClaims {
  /** The model name, which `call` accepts. */
  readonly name: string;
  readonly server: string;
  /** The server's own name for it. */
  readonly tool: string;
  readonly title: string | undefined;
  readonly description: string;
  /** The complete description, if `description` is cut for the model. */
  readonly fullDescription?: string;
  /** As the server wrote it. */
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject | undefined;
  /** The server's claims about its tool; they prove nothing. */
  readonly annotations: ToolAnnotations;
  /** The user has to sign in at the server first; the description says how. */
  readonly needsSignIn?: true;
}

export function toHostTool({ name, server, tool, definition }: CatalogTool): HostTool {
  const { inputSchema, outputSchema, annotations } = definition;
  const title = definition.title ?? annotations?.title;
  const description = definition.description ?? '';
  const words = description.trim() === '' ? namesAsWords({ server, tool, title }) : description;
  const { text, whole } = modelText(words, 'fullDescription');
  return {
    name,
    server,
    tool,
    title,
    description: text,
    ...whole,
    inputSchema,
    outputSchema,
    annotations: annotations ?? {},
    ...claimsOf(annotations),
  };
}

/** A substitute description: some providers refuse a tool without one. */
function namesAsWords({
  server,
  tool,
  title,
}: Pick<HostTool, 'server' | 'tool' | 'title'>): string {
  const own = title === undefined || title === tool ? '' : ` (${JSON.stringify(title)})`;
  return `The tool ${JSON.stringify(tool)}${own} of the server ${JSON.stringify(server)}, which gives no description of it.`;
}
