// Converts tools for a provider, with the schemas of the host's adapters, and maps arguments back. Strict modes stay off,
// since they refuse most schemas of servers.

import type { JsonObject } from '@plugboard/base';
import { type Provider, schemaFor } from '@plugboard/host/adapters';
import type { ModelTool } from '../conversation/index.ts';
import type { FunctionTool } from './vendor.ts';

export interface FitTools {
  readonly tools: FunctionTool[];
  readonly restore: (tool: string, given: JsonObject) => JsonObject;
}

export class ToolFitter {
  readonly #provider: Provider;
  /** Tools are the same objects in each request, so each schema is converted once. */
  readonly #fit = new WeakMap<ModelTool, ReturnType<typeof schemaFor>>();

  constructor(provider: Provider) {
    this.#provider = provider;
  }

  fit(tools: readonly ModelTool[]): FitTools {
    const restores = new Map(tools.map((tool) => [tool.name, this.#schemaOf(tool).restore]));
    return {
      tools: tools.map((tool) => {
        const { name, description } = tool;
        const inputSchema = this.#schemaOf(tool).schema;
        return { type: 'function', name, description, inputSchema };
      }),
      restore: (tool, given) => restores.get(tool)?.(given) ?? given,
    };
  }

  #schemaOf(tool: ModelTool): ReturnType<typeof schemaFor> {
    const known = this.#fit.get(tool);
    if (known !== undefined) return known;
    const fit = schemaFor(this.#provider, tool.inputSchema);
    this.#fit.set(tool, fit);
    return fit;
  }
}
