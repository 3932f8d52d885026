// The short form of a rule about some calls of a tool of `workspace`: what is in brackets says which commands, which
// folder or which site. `workspace/run_command(npm test *)` is a tool and a condition in one text. Pure.

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

/** `undefined` if nothing is in brackets; in words, what is wrong with what is. */
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

/** What is wrong with the value of a condition, to read on after its name. */
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
