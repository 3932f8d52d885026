// A tool as an agent shows it to a model.

import type { JsonObject } from '@plugboard/base';
import { modelText } from './capped-text.ts';
import type { CatalogTool } from './catalog.ts';
import type { ToolAnnotations } from '../protocol/index.ts';
import { claimsOf, type ToolClaims } from './tool-claims.ts';

export interface HostTool extends ToolClaims {
  /** The name for the model, to be given back to `call`. */
  readonly name: string;
  readonly server: string;
  /** The server's own name for it. */
  readonly tool: string;
  readonly title: string | undefined;
  readonly description: string;
  /** Where the description was cut for the model. */
  readonly fullDescription?: string;
  /** As the server wrote it. */
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject | undefined;
  /** The server's claims about its tool; they prove nothing. */
  readonly annotations: ToolAnnotations;
  /** Somebody has to sign in at the server first; the description says how. */
  readonly needsSignIn?: true;
}

export function toHostTool({ name, server, tool, definition }: CatalogTool): HostTool {
  const { title, description = '', inputSchema, outputSchema, annotations } = definition;
  const { text, whole } = modelText(description, 'fullDescription');
  return {
    name,
    server,
    tool,
    title: title ?? annotations?.title,
    description: text,
    ...whole,
    inputSchema,
    outputSchema,
    annotations: annotations ?? {},
    ...claimsOf(annotations),
  };
}
