// `search_structure`: code by its shape, with a preview of a rewrite. Nothing is written: each edit is in the form of
// arguments for `edit_file` of the workspace.

import { toolFailure } from '@plugboard/base';
import { z } from 'zod';
import { languageCalled } from '../../chunk/index.ts';
import type { StructureMatch } from '../../structure/index.ts';
import { maxTokens, TextBudget } from './budget.ts';
import { withHeartbeat } from './progress.ts';
import { defineTool, inputOf } from './tool.ts';
import { shownPath } from './shown-path.ts';

const LONGEST_SHOWN = 600;

export const searchStructure = defineTool({
  name: 'search_structure',
  title: 'Search code by its shape',
  description:
    'Finds code by its syntax, whatever its spaces and line breaks: $NAME is one expression or statement, $$$NAME any number. ' +
    'Example: {"language": "ts", "pattern": "fetch($URL, $$$REST)", "rewrite": "request($URL, $$$REST)"}. ' +
    'rewrite only previews edits, each as old_text and new_text for edit_file.',
  input: inputOf({
    pattern: z.string().trim().min(1).max(4000).describe('Code with holes'),
    language: z.string().describe('"ts", "python", "go"'),
    rewrite: z.string().max(4000).optional().describe('What each match would become'),
    path: z.string().default('.').describe('Only in this file or folder'),
    max_results: z.int().min(1).max(1000).default(50),
    max_tokens: maxTokens(4000),
  }),
  async run({ pattern, language, rewrite, path, ...most }, call) {
    const { parts, signal } = call;
    const normal = parts.root.normal(path === '' ? '.' : path);
    if (!normal.ok) return toolFailure(normal.error.message);
    const under = normal.value;
    const named = languageCalled(language);
    if (named === undefined)
      return toolFailure(
        `the language ${JSON.stringify(language)} is not known; examples: "ts", "python", "go"`,
      );
    const query = { pattern, rewrite, under, language: named, limit: most.max_results };
    const found = await withHeartbeat(parts.structure.find(query, signal), 'parsing', call);
    if (!found.ok) return toolFailure(found.error);
    const { matches, read, isComplete } = found.value;
    const budget = new TextBudget(most.max_tokens);
    const shown = matches.filter((match) => budget.take(matchText(match)));
    const rest = matches.length - shown.length;
    return {
      kind: 'done',
      text: [
        `${matches.length} matches; ${read} files were parsed.`,
        ...shown.map(matchText),
        ...(rest > 0 ? [`${rest} more do not fit; ask with a larger max_tokens.`] : []),
        ...(isComplete
          ? []
          : ['There may be more: ask with a larger max_results, or name a path.']),
      ].join('\n'),
      data: { matches: shown.map(matchData), total: matches.length, is_complete: isComplete },
    };
  },
});

function matchData({ path, startLine, endLine, text, bound, rewritten, file }: StructureMatch) {
  // The workspace does not support names of roots.
  const edit = { path: file ?? path, old_text: text, new_text: rewritten };
  return {
    path,
    start_line: startLine,
    end_line: endLine,
    text,
    bound: { ...bound },
    ...(rewritten === undefined ? {} : { edit }),
  };
}

function matchText({ path, startLine, text, rewritten }: StructureMatch): string {
  const lines = shortened(text)
    .split('\n')
    .map((line, at) => `  ${startLine + at}| ${line}`);
  const after =
    rewritten === undefined
      ? []
      : shortened(rewritten)
          .split('\n')
          .map((line) => `  + ${line}`);
  return [`${shownPath(path)}:${startLine}`, ...lines, ...after].join('\n');
}

function shortened(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}
