// The index with its encoder, which is loaded when it is first needed. Where it cannot be read, words alone decide.

import type { Result } from '@plugboard/base';
import type { TextEncoder } from './meaning-scores.ts';
import { ToolIndex } from './tool-index.ts';
import type { SearchableTool } from './tool-text.ts';

export async function openToolIndex<Tool extends SearchableTool>(): Promise<ToolIndex<Tool>> {
  const { openStaticModel } = await import('@plugboard/static-model');
  const opened: Result<TextEncoder, string> = await openStaticModel();
  return new ToolIndex<Tool>(opened.ok ? { encoder: opened.value } : {});
}
