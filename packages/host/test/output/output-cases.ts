// An output with its files in a temp folder, and answers of a server.

import { type Clock, type Scope, systemClock } from '@plugboard/base';
import { tempFolder } from '@plugboard/testkit';
import { structuredProblems } from '../../src/host/schema-check.ts';
import { isTamePattern } from '../../src/schema/tame-pattern.ts';
import {
  type FittedResult,
  Output,
  type OutputOptions,
  type Part,
} from '../../src/output/index.ts';
import type { ContentBlock, ToolDefinition, ToolResult } from '../../src/protocol/index.ts';

export interface GivenOutput {
  readonly output: Output;
  readonly folder: string;
  readonly fit: (
    content: readonly ContentBlock[],
    more?: Partial<ToolResult>,
  ) => Promise<readonly Part[]>;
  /** Including the data for programs. */
  readonly fitted: (
    content: readonly ContentBlock[],
    more?: Partial<ToolResult>,
  ) => Promise<FittedResult>;
}

export async function givenOutput(
  scope: Scope,
  options: OutputOptions | 'as-is' = {},
  tool: Partial<ToolDefinition> = {},
): Promise<GivenOutput> {
  const { path } = scope.use(await tempFolder());
  return outputIn(path, options, { tool });
}

export function outputIn(
  cache: string,
  options: OutputOptions | 'as-is' = {},
  {
    tool = {},
    clock = systemClock,
  }: { readonly tool?: Partial<ToolDefinition>; readonly clock?: Clock } = {},
): GivenOutput {
  const output = new Output(options, {
    cache,
    clock,
    problemsOf: structuredProblems,
    isTamePattern,
  });
  const definition = { name: 'tool', inputSchema: {}, ...tool };
  const fitted: GivenOutput['fitted'] = async (content, more) =>
    output.fit({ content, isError: false, ...more }, definition, undefined);
  return {
    output,
    folder: cache,
    fitted,
    fit: async (content, more) => (await fitted(content, more)).parts,
  };
}

export const text = (words: string): ContentBlock => ({ type: 'text', text: words });
