import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Scope } from '../src/scope.ts';

const outcomes = fc.array(fc.constantFrom('returns', 'resolves', 'throws', 'rejects'), {
  maxLength: 12,
});

type Outcome = 'returns' | 'resolves' | 'throws' | 'rejects';

function perform(outcome: Outcome, failure: Error): void | Promise<void> {
  switch (outcome) {
    case 'returns':
      return undefined;
    case 'resolves':
      return Promise.resolve();
    case 'throws':
      throw failure;
    case 'rejects':
      return Promise.reject(failure);
  }
}

describe('closing a scope', () => {
  it('releases everything once, in reverse order, whatever fails on the way', async () => {
    await fc.assert(
      fc.asyncProperty(outcomes, fc.integer({ min: 1, max: 3 }), async (plan, times) => {
        const scope = new Scope();
        const released: number[] = [];
        const failures: Error[] = [];
        plan.forEach((outcome, index) => {
          scope.defer(() => {
            released.push(index);
            const failure = new Error(`release ${index}`);
            if (outcome === 'throws' || outcome === 'rejects') failures.push(failure);
            return perform(outcome, failure);
          });
        });
        const closings = await Promise.allSettled(
          Array.from({ length: times }, () => scope.close()),
        );
        expect(released).toEqual([...plan.keys()].toReversed());
        for (const closing of closings) expect(failuresOf(closing)).toEqual(failures);
      }),
    );
  });

  it('waits for each release before the next', async () => {
    const scope = new Scope();
    const log: string[] = [];
    for (const name of ['first', 'second']) {
      scope.defer(async () => {
        log.push(`${name} begins`);
        await Promise.resolve();
        log.push(`${name} ends`);
      });
    }
    await scope.close();
    expect(log).toEqual(['second begins', 'second ends', 'first begins', 'first ends']);
  });

  it('notifies waiting code before anything is released', async () => {
    const scope = new Scope();
    const reason = new Error('enough');
    const seen: unknown[] = [];
    scope.defer(() => void seen.push(scope.signal.reason, scope.isClosed));
    expect([scope.signal.aborted, scope.isClosed]).toEqual([false, false]);
    await scope.close(reason);
    expect(seen).toEqual([reason, true]);
  });

  it('releases once when a release closes the scope again', async () => {
    const scope = new Scope();
    const released: string[] = [];
    scope.defer(() => void released.push('first'));
    scope.defer(() => {
      released.push('second');
      void scope.close();
    });
    await scope.close();
    expect(released).toEqual(['second', 'first']);
  });

  it('happens at the end of `await using`', async () => {
    const released: string[] = [];
    {
      await using scope = new Scope();
      scope.defer(() => void released.push('released'));
    }
    expect(released).toEqual(['released']);
  });
});

describe('deferring into a closing scope', () => {
  it('releases a deferred callback before close() returns', async () => {
    const scope = new Scope();
    const released: string[] = [];
    scope.defer(() => void released.push('first'));
    scope.defer(async () => {
      await Promise.resolve();
      scope.defer(() => void released.push('late'));
    });
    await scope.close();
    expect(released).toEqual(['late', 'first']);
  });

  it('releases a callback deferred into a closed scope, even one that failed to close', async () => {
    for (const outcome of ['returns', 'throws'] as const) {
      const scope = new Scope();
      const failure = new Error('failed');
      scope.defer(() => perform(outcome, failure));
      await Promise.allSettled([scope.close()]);
      // A release that never ran would leave this waiting.
      await new Promise<void>((resolve) => scope.defer(resolve));
      const [closing] = await Promise.allSettled([scope.close()]);
      expect(closing && failuresOf(closing)).toEqual(outcome === 'throws' ? [failure] : []);
    }
  });

  it('reports the failure of a late release only to the next close()', async () => {
    const scope = new Scope();
    await scope.close();
    const failure = new Error('late');
    scope.defer(() => {
      throw failure;
    });
    await expect(scope.close()).rejects.toBe(failure);
  });
});

describe('a resource that a scope owns', () => {
  it('is returned and disposed, synchronously or not', async () => {
    const scope = new Scope();
    const disposed: string[] = [];
    const plain = { [Symbol.dispose]: () => void disposed.push('plain') };
    const slow = {
      async [Symbol.asyncDispose]() {
        await Promise.resolve();
        disposed.push('slow');
      },
    };
    expect([scope.use(plain), scope.use(slow)]).toEqual([plain, slow]);
    await scope.close();
    expect(disposed).toEqual(['slow', 'plain']);
  });
});

function failuresOf(closing: PromiseSettledResult<void>): readonly unknown[] {
  if (closing.status === 'fulfilled') return [];
  const reason: unknown = closing.reason;
  return reason instanceof AggregateError ? reason.errors : [reason];
}
