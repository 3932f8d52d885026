import { describe, expect, it } from 'vitest';
import {
  answerCall,
  type LogLevel,
  progressOf,
  toolFailure,
  toolResult,
  unknownArgument,
} from '../src/index.ts';

describe('the answer of a tool', () => {
  it('has a text for models, and data for programs where no model reads it', () => {
    expect(toolResult({ kind: 'done', text: 'two lines', data: { lines: 2 } })).toEqual({
      content: [{ type: 'text', text: 'two lines' }],
      _meta: { 'plugboard/data': { lines: 2 } },
    });
  });

  it('is an error with a reason if the tool failed', () => {
    expect(toolResult(toolFailure('no such file'))).toEqual({
      content: [{ type: 'text', text: 'no such file' }],
      isError: true,
    });
  });
});

describe('a call whose tool throws', () => {
  const thrown = (): Promise<never> => Promise.reject(new Error('disk full'));

  it('is answered with the reason, which is logged', async () => {
    const logged: [LogLevel, string, unknown][] = [];
    const logger = {
      log: (...line: [LogLevel, string, unknown?]) => void logged.push([line[0], line[1], line[2]]),
    };
    const { signal } = new AbortController();
    expect(await answerCall('write_file', thrown, { signal, logger })).toEqual(
      toolFailure('write_file failed: disk full'),
    );
    expect(logged).toEqual([
      ['error', 'a tool failed', { tool: 'write_file', reason: 'disk full' }],
    ]);
  });

  it('is not logged if the client has cancelled it', async () => {
    const logger = { log: () => expect.unreachable() };
    const signal = AbortSignal.abort(new Error('given up'));
    expect(await answerCall('write_file', thrown, { signal, logger })).toEqual(
      toolFailure('write_file failed: given up'),
    );
  });
});

describe('an unknown argument', () => {
  it('is answered with the known ones, and other mistakes are left to the schema', () => {
    const error = unknownArgument({ path: 1, limit: 2 });
    expect(error({ code: 'unrecognized_keys', keys: ['file'] })).toBe(
      'there is no argument file; the arguments are: path, limit',
    );
    expect(error({ code: 'invalid_type' })).toBeUndefined();
  });
});

describe('the progress of a call', () => {
  const context = (progressToken?: string) => {
    const sent: unknown[] = [];
    const mcpReq = {
      signal: new AbortController().signal,
      _meta: { progressToken },
      notify: ({ params }: { params: { progress: number } }) => {
        sent.push(params.progress);
        return Promise.reject(new Error('the client is gone'));
      },
    };
    return { sent, progress: progressOf({ mcpReq }) };
  };

  it('only grows, and a client that is gone is not a failure', () => {
    const { sent, progress } = context('token');
    for (const done of [1, 3, 2, 3, 4]) progress.tell({ done, message: 'working' });
    expect(sent).toEqual([1, 3, 4]);
  });

  it('is not reported to a client that did not ask for it', () => {
    const { sent, progress } = context();
    progress.tell({ done: 1, message: 'working' });
    expect(sent).toEqual([]);
  });
});
