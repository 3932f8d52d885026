// Parses the short form of rules about tools of `workspace`, such as `workspace/run_command(npm test *)`: a
// tool, and in brackets a condition about the command, the folder or the site. Pure.

import { commandPattern, isUrl } from '@plugboard/base';

export interface ScopedTool {
  readonly tool: string;
  readonly condition: {
    readonly path: string;
    readonly operator: ScopeOperator;
    readonly value: string;
  };
}

type ScopeOperator = 'runs' | 'under' | 'origin';

const SCOPED: Readonly<
  Record<string, { readonly path: string; readonly operator: ScopeOperator }>
> = {
  'workspace/run_command': { path: 'command', operator: 'runs' },
  'workspace/write_file': { path: 'path', operator: 'under' },
  'workspace/edit_file': { path: 'path', operator: 'under' },
  'workspace/*_file': { path: 'path', operator: 'under' },
  'workspace/web_fetch': { path: 'url', operator: 'origin' },
};

/** `undefined` if the text has no brackets. A string describes the problem with the brackets. */
export function scopedTool(text: string): ScopedTool | string | undefined {
  const open = text.indexOf('(');
  if (open === -1 || !text.startsWith('workspace/')) return undefined;
  const tool = text.slice(0, open);
  const value = text.slice(open + 1, -1);
  const scoped = Object.hasOwn(SCOPED, tool) ? SCOPED[tool] : undefined;
  if (scoped === undefined || !text.endsWith(')')) {
    return `must be one of ${Object.keys(SCOPED).join(', ')} before the brackets`;
  }
  const problem = scopeProblem(scoped.operator, value);
  return problem ?? { tool, condition: { ...scoped, value } };
}

/** The problem with the value of a condition, which continues a sentence after the name of the condition. */
export function scopeProblem(operator: ScopeOperator, value: string): string | undefined {
  switch (operator) {
    case 'runs':
      return commandPattern(value) === undefined
        ? 'must have the words of one plain command, such as "npm test" or "git status *"'
        : undefined;
    case 'under':
      return value.trim() === '' ? 'must name a folder, such as "src" or "."' : undefined;
    case 'origin':
      return isUrl(value) && new URL(value).origin === value
        ? undefined
        : 'must be the origin of a site, such as "https://docs.example.com"';
    default:
      return operator satisfies never;
  }
}
