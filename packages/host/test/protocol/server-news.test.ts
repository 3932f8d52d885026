import { never, Scope } from '@plugboard/base';
import { waitUntil } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { openOrThrow, scriptedCells } from './cells.ts';

const patient = { signal: never, idleMs: 60_000, hardMs: 60_000 };
// In the modern era a server sends only what was requested.
const cells = scriptedCells.filter(({ era }) => era === 'legacy');

describe.each(cells)('a server without the capability, over $name', (cell) => {
  it('is still noticed when it reports changed tools', async () => {
    await using scope = new Scope();
    const script = { capabilities: { tools: {} }, growOn: { tool: 'echo' } };
    const session = await openOrThrow(await cell.launch(script, scope), scope);
    const changed: string[] = [];
    using _watching = session.watchLists((list) => changed.push(list));
    await session.callTool({ name: 'echo', arguments: { message: 'hi' } }, patient);
    await waitUntil(() => changed.length > 0, { describe: 'the change' });
    expect(changed).toEqual(['tools']);
  });
});
