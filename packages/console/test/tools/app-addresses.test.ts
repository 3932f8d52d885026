import { describe, expect, it } from 'vitest';
import { appAddresses } from '../../src/tools/app-addresses.ts';

const many = (kind: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `https://${kind}${at}.example`);

describe('the addresses that an app requests', () => {
  it('are granted only if they are shown, however many there are', () => {
    const { shown, csp } = appAddresses({
      resourceDomains: many('r', 25),
      connectDomains: [...many('c', 15), 'https://r0.example'],
      frameDomains: ['https://evil.example'],
    });
    expect(shown).toEqual([...many('c', 15), 'https://r0.example', ...many('r', 5).slice(1)]);
    expect(csp).toEqual({
      connectDomains: [...many('c', 15), 'https://r0.example'],
      resourceDomains: many('r', 5),
      frameDomains: [],
    });
  });

  it('are only strings of known kinds', () => {
    const csp = { connectDomains: [1, 'https://a.example', null], other: ['https://b.example'] };
    expect(appAddresses(csp)).toEqual({
      shown: ['https://a.example'],
      csp: { connectDomains: ['https://a.example'], resourceDomains: [], frameDomains: [] },
    });
    expect(appAddresses({ connectDomains: 'https://a.example' }).shown).toEqual([]);
  });
});
