import { describe, expect, it } from 'vitest';
import {
  capabilitiesOf,
  grantedCapabilities,
  INBOUND_REQUESTS,
  isAskable,
  neededCapability,
} from '../../src/protocol/neutral/inbound-requests.ts';

const ROWS = Object.entries(INBOUND_REQUESTS);
const EVERYTHING = Object.assign({}, ...ROWS.map(([, { capability }]) => capability)) as object;

describe('the requests that servers make', () => {
  it('are all declared by a host that answers all of them', () => {
    const answers = Object.fromEntries(ROWS.map(([key]) => [key, true]));
    expect(capabilitiesOf(answers)).toEqual(EVERYTHING);
    expect(capabilitiesOf({})).toEqual({});
  });

  it('are declared for a shared server as far as they are granted', () => {
    expect(grantedCapabilities({ elicit: true, sample: true, roots: true })).toEqual(EVERYTHING);
    const { elicit, roots } = INBOUND_REQUESTS;
    expect(grantedCapabilities({ elicit: true, sample: false, roots: false })).toEqual(
      elicit.capability,
    );
    expect(grantedCapabilities({ elicit: false, sample: false, roots: true })).toEqual(
      roots.capability,
    );
  });

  it.each(ROWS)('need one capability of a client: %s', (_, { method, capability }) => {
    const needed = neededCapability(method);
    expect(Object.keys(capability)).toEqual([needed]);
    expect(isAskable({ [needed ?? '']: {} })).toBe(true);
  });

  it('include no other methods', () => {
    expect(neededCapability('tools/list')).toBeUndefined();
    expect(isAskable({ experimental: {} })).toBe(false);
  });
});
