import { createServer } from 'node:net';
import { never, ok } from '@plugboard/base';
import { ManualClock, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { type BrowserVisit, type BrowserWish, eitherRedirect } from '../../src/auth/index.ts';

const WISH: BrowserWish = { port: undefined, known: undefined };
const PAGE = new URL('https://login.example/authorize?state=the-state');

/** A user who pastes the address on demand, or gives up. */
function person() {
  let paste: (text: string | undefined) => void = () => {};
  let wasStopped = false;
  const shown: string[] = [];
  return {
    shown,
    paste: (text: string | undefined) => paste(text),
    get wasStopped() {
      return wasStopped;
    },
    options: {
      show: (url: URL) => {
        shown.push(url.href);
        return Promise.resolve();
      },
      ask: (signal: AbortSignal) =>
        new Promise<string | undefined>((resolve) => {
          paste = resolve;
          signal.addEventListener('abort', () => {
            wasStopped = true;
            resolve(undefined);
          });
        }),
    },
  };
}

async function visitOf(browser: ReturnType<typeof eitherRedirect>, wish = WISH) {
  const begun = await browser.begin(wish);
  if (!begun.ok) throw new Error(begun.error.kind);
  return begun.value;
}

function redirectTo({ redirectUrl }: BrowserVisit): string {
  return `${redirectUrl}?code=the-code&state=the-state`;
}

describe('a redirect that may arrive or be pasted', () => {
  verifies('AUT-04');

  it('is accepted when it arrives, and the prompt is closed', async () => {
    const somebody = person();
    await using visit = await visitOf(eitherRedirect(somebody.options));
    const opened = visit.open(PAGE, never);
    await fetch(redirectTo(visit), { headers: { connection: 'close' } });
    expect(await opened).toEqual(ok(new URL(redirectTo(visit))));
    expect(somebody.wasStopped).toBe(true);
    expect(somebody.shown).toEqual([PAGE.href]);
  });

  it.for([
    ['as it is', (address: string) => address],
    ['with blanks around it', (address: string) => `  ${address}\n`],
    ['without its scheme', (address: string) => address.replace('http://', '')],
  ] as const)('is accepted when it is pasted %s', async ([, change]) => {
    const somebody = person();
    await using visit = await visitOf(eitherRedirect(somebody.options));
    const opened = visit.open(PAGE, never);
    // Called once the page is shown.
    await new Promise((resolve) => setImmediate(resolve));
    somebody.paste(change(redirectTo(visit)));
    expect(await opened).toEqual(ok(new URL(redirectTo(visit))));
  });

  it('can still be pasted if another program has the port', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const somebody = person();
    await using visit = await visitOf(eitherRedirect(somebody.options), {
      port,
      known: undefined,
    });
    const opened = visit.open(PAGE, never);
    await new Promise((resolve) => setImmediate(resolve));
    somebody.paste(redirectTo(visit));
    expect(await opened).toEqual(ok(new URL(redirectTo(visit))));
    expect(new URL(visit.redirectUrl).port).toBe(String(port));
    await new Promise((resolve) => taken.close(resolve));
  });

  it('ends when it is aborted, interrupted, or out of time', async () => {
    const somebody = person();
    await using first = await visitOf(eitherRedirect(somebody.options));
    const givenUp = first.open(PAGE, never);
    await new Promise((resolve) => setImmediate(resolve));
    somebody.paste(undefined);
    expect(await givenUp).toEqual({ ok: false, error: { kind: 'cancelled' } });

    const interrupt = new AbortController();
    await using second = await visitOf(eitherRedirect(person().options));
    const interrupted = second.open(PAGE, interrupt.signal);
    interrupt.abort(new Error('enough'));
    expect(await interrupted).toEqual({ ok: false, error: { kind: 'cancelled' } });

    const clock = new ManualClock();
    const late = person();
    await using third = await visitOf(eitherRedirect({ ...late.options, clock, timeoutMs: 1000 }));
    const waited = third.open(PAGE, never);
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(1000);
    expect(await waited).toEqual({ ok: false, error: { kind: 'timeout' } });
    expect(late.wasStopped).toBe(true);
  });
});
