// Stands in for Anthropic: a server on this machine that speaks its format and says the same each time, and the variables
// that lead to it. With a real key in the environment, the examples need no change.

import { startScriptedModel, type AnswerTurn } from '@plugboard/testkit';

const calling = (
  ...calls: readonly (readonly [string, Record<string, unknown>])[]
): AnswerTurn => ({
  kind: 'answer',
  steps: calls.map(([tool, given]) => ({ kind: 'call', tool, arguments: given })),
});

export const scripted = await startScriptedModel({
  turns: [
    calling(['mcp__everything__get-sum', { a: 2, b: 3 }], ['mcp__everything__get-env', {}]),
    'It is 5.',
    calling(['mcp__workspace__write_file', { path: 'sum.txt', content: '5\n' }]),
    'It is written.',
    calling(['delegate', { name: 'reader', task: 'Say hi.', tools: ['mcp__everything__echo'] }]),
    calling(['mcp__everything__echo', { message: 'hi' }]),
    'It said hi.',
    'The reader says: it said hi.',
  ],
});

for (const name of Object.keys(process.env))
  if (name.endsWith('_API_KEY')) delete process.env[name];
process.env['ANTHROPIC_API_KEY'] = 'example-key';
process.env['ANTHROPIC_BASE_URL'] = scripted.url;
