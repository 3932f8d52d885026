// The tools of a script, and their pages. Pure.

import type { Json, JsonObject } from '@plugboard/base';
import { builtInTools, hugeTool } from './built-in-tools.ts';
import { INVALID_PARAMS } from './json-rpc.ts';
import type { CommonScript, Pages, ScriptedTool } from './script.ts';
import type { Outcome, Tool } from './tool-call.ts';

/** The tools by name. A scripted tool replaces the built-in one of the same name, in its position. */
export function toolShelf(
  script: CommonScript,
  taskTools: readonly Tool[],
): ReadonlyMap<string, Tool> {
  const names = script.builtIns ?? [...builtInTools.keys()];
  const shelf = new Map<string, Tool>();
  for (const name of names) {
    const tool = builtInTools.get(name);
    if (tool === undefined) throw new RangeError(`no built-in tool is called ${name}`);
    shelf.set(name, tool);
  }
  if (script.hugeLineBytes !== undefined) shelf.set('huge', hugeTool(script.hugeLineBytes));
  for (const tool of taskTools) shelf.set(tool.definition.name, tool);
  for (const tool of script.tools ?? []) shelf.set(tool.name, fixedTool(tool));
  return shelf;
}

/** The page of a cursor: `tools`, and `nextCursor` if there is another page. */
export function toolPage(
  shelf: ReadonlyMap<string, Tool>,
  pages: Pages | undefined,
  cursor: Json | undefined,
): Outcome {
  const all = [...shelf.values()].map(listed);
  const index = cursor === undefined ? 0 : pageIndex(cursor);
  if (index === undefined) {
    return { kind: 'error', error: { code: INVALID_PARAMS, message: 'Invalid cursor' } };
  }
  switch (pages?.kind) {
    case undefined:
      return page(all, undefined);
    case 'normal': {
      const end = (index + 1) * pages.size;
      return page(all.slice(index * pages.size, end), end < all.length ? index + 1 : undefined);
    }
    case 'endless':
      return page(index === 0 ? all : [listed(endlessTool(index))], index + 1);
    case 'repeated-cursor':
      return page(all, 1);
    default:
      throw new RangeError(`no such kind of pages: ${JSON.stringify(pages satisfies never)}`);
  }
}

function page(tools: readonly JsonObject[], next: number | undefined): Outcome {
  return {
    kind: 'result',
    result: { tools, ...(next === undefined ? {} : { nextCursor: `page-${next}` }) },
  };
}

function pageIndex(cursor: Json): number | undefined {
  if (typeof cursor !== 'string') return undefined;
  const match = /^page-(\d+)$/.exec(cursor);
  return match?.[1] === undefined ? undefined : Number(match[1]);
}

function listed(tool: Tool): JsonObject {
  return { inputSchema: { type: 'object' }, ...tool.definition };
}

export function fixedTool(tool: ScriptedTool): Tool {
  const { result: _result, resultText: _text, error: _error, ...definition } = tool;
  return { definition, run: () => outcomeOf(tool) };
}

function outcomeOf({ result = { content: [] }, resultText, error }: ScriptedTool): Outcome {
  if (error !== undefined) return { kind: 'error', error };
  return resultText === undefined ? { kind: 'result', result } : { kind: 'text', text: resultText };
}

function endlessTool(index: number): Tool {
  return fixedTool({ name: `endless-${index}` });
}
