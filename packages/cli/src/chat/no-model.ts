// What to say to a message when there is no model to answer it.

import type { Opening, SubmitResult } from './chat.ts';

export function noModelWords(
  model: Extract<Opening['model'], { readonly kind: 'none' }>,
): SubmitResult {
  const ways = model.ways.map(({ provider, set }) => `  ${provider}: ${set}`);
  return {
    kind: 'problem',
    message: [model.problem ?? 'there is no model to answer', ...ways].join('\n'),
    fix: 'set one of these and start again; /tools, /call, /search and /mcp work without',
  };
}
