// The conversation of user and model in the pictures.

import type { ModelTurn } from '@plugboard/testkit';
import { RETRY_AFTER, RETRY_BEFORE, RETRY_FILE } from './shown-project.ts';

export const QUESTION = 'Some receivers get a webhook twice. Find out why, and fix it.';
export const ASKING_TURNS: readonly ModelTurn[] = [
  {
    kind: 'answer',
    steps: [
      { kind: 'call', tool: 'mcp__codebase__search_code', arguments: { query: 'deliver(' } },
      { kind: 'call', tool: 'mcp__codebase__read_file', arguments: { path: RETRY_FILE } },
    ],
    usage: { input: 11_240, output: 190 },
  },
  {
    kind: 'answer',
    steps: [
      {
        kind: 'text',
        text: [
          'A receiver that takes **longer than 3 s** has the webhook already, but `deliver` counts it',
          'as failed and sends it again. Two changes:',
          '',
          '1. send one idempotency key with every attempt;',
          '2. take `409 Conflict` for what it is: *it has arrived*.',
        ].join('\n'),
      },
      {
        kind: 'call',
        tool: 'mcp__workspace__edit_file',
        arguments: { path: RETRY_FILE, old_text: RETRY_BEFORE, new_text: RETRY_AFTER },
      },
    ],
    usage: { input: 12_960, output: 420, cacheRead: 11_000 },
  },
];

export const GREETING = 'What can you reach?';
/** The point at which the model waits until the servers have the states to show. */
export const SERVERS_TRIED = 'servers tried';
export const GREETED: ModelTurn = {
  kind: 'answer',
  steps: [
    { kind: 'hold', name: SERVERS_TRIED },
    {
      kind: 'text',
      text: 'This folder, with search and edits, your **files** and your **memory**. `github` wants you to sign in first, and `postgres` did not start.',
    },
  ],
  usage: { input: 9800, output: 64 },
};
