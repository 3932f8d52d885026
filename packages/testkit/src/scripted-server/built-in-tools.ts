// The default tools of scripted servers: one for each kind of content and each outcome of a call.

import type { Json, JsonObject } from '@plugboard/base';
import { INTERNAL_ERROR } from './json-rpc.ts';
import { pause, structured, text, type Tool, toolError } from './tool-call.ts';

/** A PNG of one transparent pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
/** A WAV header over no samples. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const tools: readonly Tool[] = [
  {
    definition: {
      name: 'echo',
      description: 'Says what it was told',
      inputSchema: schema({ message: { type: 'string' } }),
      annotations: { readOnlyHint: true },
    },
    run: ({ args }) =>
      typeof args['message'] === 'string'
        ? text(args['message'])
        : toolError('message must be a string'),
  },
  {
    definition: {
      name: 'add',
      description: 'Adds two numbers',
      inputSchema: schema({ a: { type: 'number' }, b: { type: 'number' } }),
      outputSchema: schema({ sum: { type: 'number' } }),
      annotations: { readOnlyHint: true },
    },
    run: ({ args: { a, b } }) =>
      typeof a === 'number' && typeof b === 'number'
        ? structured({ sum: a + b })
        : toolError('a and b must be numbers'),
  },
  content('image', 'Shows a picture', [{ type: 'image', data: PNG, mimeType: 'image/png' }]),
  content('audio', 'Plays nothing', [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }]),
  content('resource', 'Gives a resource and a link to one', [
    {
      type: 'resource',
      resource: { uri: 'scripted://notes/1', mimeType: 'text/plain', text: 'a note' },
    },
    { type: 'resource_link', uri: 'scripted://notes/2', name: 'note-2', mimeType: 'text/plain' },
  ]),
  {
    definition: { name: 'error', description: 'Fails as tools fail' },
    run: () => toolError('the tool failed'),
  },
  {
    definition: { name: 'rpc-error', description: 'Fails as requests fail' },
    run: () => ({ kind: 'error', error: { code: INTERNAL_ERROR, message: 'the request failed' } }),
  },
  {
    definition: {
      name: 'sleep',
      description: 'Answers after a while, with progress in steps',
      inputSchema: schema({ ms: { type: 'number' }, steps: { type: 'integer' } }, ['ms']),
    },
    async run({ args, signal, progress }) {
      const ms = numberOr(args['ms'], 0);
      const steps = Math.max(1, numberOr(args['steps'], 1));
      for (let step = 1; step <= steps; step += 1) {
        // Before the pause, since a client may drop progress that arrives with the answer.
        progress(step, steps);
        if (!(await pause(ms / steps, signal))) return { kind: 'nothing' };
      }
      return text(`slept ${ms} ms`);
    },
  },
  {
    definition: { name: 'env', description: 'Its environment' },
    run: ({ machine }) => text(JSON.stringify(machine.env)),
  },
  {
    definition: { name: 'cwd', description: 'Its working folder' },
    run: ({ machine }) => text(machine.cwd),
  },
  {
    definition: { name: 'pids', description: 'Its process and those it started' },
    run: ({ machine: { pid, grandchildren } }) => structured({ pid, grandchildren }),
  },
  {
    definition: {
      name: 'big',
      description: 'So many bytes of text',
      inputSchema: schema({ bytes: { type: 'integer' } }),
    },
    run: ({ args }) => text('x'.repeat(numberOr(args['bytes'], 0))),
  },
  {
    definition: { name: 'never', description: 'Does not answer' },
    run: () => ({ kind: 'nothing' }),
  },
  {
    definition: {
      name: 'exit',
      description: 'Ends the server instead of answering',
      inputSchema: schema({ code: { type: 'integer' } }),
    },
    run({ args, machine }) {
      machine.crash({ exit: numberOr(args['code'], 1) });
      return { kind: 'nothing' };
    },
  },
];

export const builtInTools: ReadonlyMap<string, Tool> = new Map(
  tools.map((tool) => [tool.definition.name, tool]),
);

/** Answers with a line of exactly this length. */
export function hugeTool(bytes: number): Tool {
  return {
    definition: { name: 'huge', description: `An answer of ${bytes} bytes` },
    run({ lineBytes }) {
      const empty = lineBytes({ content: [{ type: 'text', text: '' }] });
      return text('x'.repeat(Math.max(0, bytes - empty)));
    },
  };
}

function content(name: string, description: string, blocks: readonly Json[]): Tool {
  return {
    definition: { name, description },
    run: () => ({ kind: 'result', result: { content: blocks } }),
  };
}

function schema(properties: JsonObject, required = Object.keys(properties)): JsonObject {
  return { type: 'object', properties, required };
}

function numberOr(value: Json | undefined, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
