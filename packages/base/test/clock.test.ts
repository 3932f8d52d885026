import { describe, expect, it } from 'vitest';
import { systemClock } from '../src/clock.ts';
import { CodedError, codeOf, messageOf } from '../src/coded-error.ts';

describe("the system's clock", () => {
  it('runs a task after its time and not before', async () => {
    const before = systemClock.elapsed();
    // Its timers do not keep the process alive, but the test runner does.
    await new Promise<void>((resolve) => systemClock.after(20, resolve));
    // Node's timers have a resolution of a millisecond.
    expect(systemClock.elapsed() - before).toBeGreaterThanOrEqual(19);
  });

  it('runs neither a cancelled task nor one that is more than 24 days away', async () => {
    const ran: string[] = [];
    systemClock.after(1, () => ran.push('cancelled'))[Symbol.dispose]();
    using _far = systemClock.after(2 ** 31, () => ran.push('far'));
    using _never = systemClock.after(Number.POSITIVE_INFINITY, () => ran.push('never'));
    await new Promise<void>((resolve) => systemClock.after(20, resolve));
    expect(ran).toEqual([]);
  });
});

describe('a coded error', () => {
  it('keeps its code, its data and its cause', () => {
    const cause = new Error('below');
    const thrown = new CodedError('broken', 'it broke', { data: { part: 1 }, cause });
    const { name, code, data, message } = thrown;
    expect({ name, code, data, message, cause: thrown.cause }).toEqual({
      name: 'CodedError',
      code: 'broken',
      data: { part: 1 },
      message: 'it broke',
      cause,
    });
  });

  it('has no cause when none is given', () => {
    expect('cause' in new CodedError('broken', 'it broke', { data: undefined })).toBe(false);
  });

  it('is recognized by its code', () => {
    const thrown = [new CodedError('broken', '', { data: 0 }), { code: 'ENOENT' }, { code: 1 }];
    expect([...thrown, null, 'text', undefined].map(codeOf)).toEqual([
      'broken',
      'ENOENT',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('is described by its message, as is anything else thrown', () => {
    expect([new Error('text'), 'text', 1, null, undefined].map(messageOf)).toEqual([
      'text',
      'text',
      '1',
      'null',
      'undefined',
    ]);
  });

  it('is described together with failures of the cleanup after it', async () => {
    const failing = async (): Promise<void> => {
      await using _scope = {
        async [Symbol.asyncDispose]() {
          throw new Error('the door is stuck');
        },
      };
      throw new Error('the lamp fell');
    };
    const thrown: unknown = await failing().catch((error: unknown) => error);
    expect(messageOf(thrown)).toBe('the lamp fell (and then: the door is stuck)');
  });
});
