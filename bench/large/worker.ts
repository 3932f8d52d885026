// Passes one large result through a fully enabled host in its own process, and measures how far the memory rises above
// its level before the call.

import { allowAll, createHost } from '@plugboard/host';
import { Server } from '@modelcontextprotocol/server';
import { answerParent } from '../measure/answer-parent.ts';

export type LargeQuestion =
  | { readonly kind: 'text'; readonly megabytes: number }
  /** `image` is base64. */
  | { readonly kind: 'image'; readonly image: string };

export interface LargeAnswer {
  /** The peak of the process during the call, above its level before. */
  readonly peakMb: number;
  /** The size of the outcome: characters of text, or bytes of the image. */
  readonly shown: number;
}

answerParent(answer, () => process.exit());

async function answer(question: LargeQuestion): Promise<LargeAnswer> {
  const content =
    question.kind === 'text'
      ? [{ type: 'text' as const, text: 'A line of text.\n'.repeat(question.megabytes * 62_500) }]
      : [{ type: 'image' as const, data: question.image, mimeType: 'image/png' }];
  await using host = await createHost({
    files: 'none',
    approve: allowAll,
    inProcess: { large: serverWith(content) },
  });
  await host.tools();
  const before = resting();
  const watch = watching();
  const outcome = await host.call({ server: 'large', tool: 'get' }, {});
  const peak = watch.stop();
  if (outcome.kind !== 'result') throw new Error(`it came to ${JSON.stringify(outcome)}`);
  const shown = outcome.parts.reduce((sum, part) => {
    if (part.kind === 'text') return sum + part.text.length;
    return part.kind === 'image' ? sum + (part.data.length * 3) / 4 : sum;
  }, 0);
  return { peakMb: (peak - before) / 1e6, shown };
}

type Content = readonly (
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
)[];

function serverWith(content: Content): Server {
  const server = new Server({ name: 'large', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({
    tools: [{ name: 'get', inputSchema: { type: 'object' as const } }],
  }));
  server.setRequestHandler('tools/call', () => ({ content: [...content] }));
  return server;
}

function resting(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().rss;
}

/** Samples the memory often, since sharp's threads allocate and free it quickly. */
function watching(): { stop(): number } {
  const atStart = process.resourceUsage().maxRSS;
  let peak = process.memoryUsage().rss;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 2);
  return {
    stop() {
      clearInterval(timer);
      const { maxRSS } = process.resourceUsage();
      // The kernel's high-water mark is exact, unless it was reached before the call.
      return maxRSS > atStart ? maxRSS * 1024 : Math.max(peak, process.memoryUsage().rss);
    },
  };
}
