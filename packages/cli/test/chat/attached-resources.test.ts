import { Scope } from '@plugboard/base';
import { hostEnvironment } from '@plugboard/host/configuration';
import { scriptedServer, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { AttachedResources } from '../../src/chat/attached-resources.ts';
import { hostWith } from './host-with.ts';

const COUNTED = { server: 'docs', uri: 'count://1' };
const never = new AbortController().signal;

describe('resources that messages mention', () => {
  verifies('AGT-05');

  it('are read when they are mentioned, and again with the next message after a change', async () => {
    await using scope = new Scope();
    const library = { resources: [{ uri: COUNTED.uri, name: 'count' }] };
    const host = await hostWith(scope, { docs: scriptedServer({ library }) });
    let changed = 0;
    using talk = new AttachedResources(host, {
      from: hostEnvironment(),
      onChange: () => {
        changed += 1;
      },
    });
    const texts = async (named: readonly (typeof COUNTED)[]) =>
      (await talk.attach(named, never)).parts.map((part) =>
        'text' in part ? part.text : part.kind,
      );
    const [first] = await texts([COUNTED]);
    expect(await texts([])).toEqual([]);
    const before = changed;
    await host.call({ server: 'docs', tool: 'touch' }, { uri: COUNTED.uri });
    await expect.poll(() => changed).toBe(before + 1);
    const [second, ...others] = await texts([]);
    expect(others).toEqual([]);
    expect(second).not.toBe(first);
    expect(await texts([])).toEqual([]);
  });

  it('are reported and left out of the message if they cannot be read', async () => {
    await using scope = new Scope();
    const host = await hostWith(scope, { docs: scriptedServer({ library: {} }) });
    using talk = new AttachedResources(host, { from: hostEnvironment(), onChange: () => {} });
    const { parts, notices } = await talk.attach([{ server: 'docs', uri: 'gone://1' }], never);
    expect(parts).toEqual([]);
    expect(notices).toMatchObject([{ level: 'warning' }]);
  });
});
