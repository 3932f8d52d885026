import * as sdk from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import * as keys from '../../src/protocol/modern/meta-keys.ts';

it('the keys of a modern request match those of the SDK', () => {
  const {
    LOG_LEVEL_META_KEY,
    CLIENT_CAPABILITIES_META_KEY,
    CLIENT_INFO_META_KEY,
    PROTOCOL_VERSION_META_KEY,
  } = sdk;
  const { MODERN_REVISION: _, ...written } = keys;
  expect(written).toEqual({
    LOG_LEVEL_META_KEY,
    CLIENT_CAPABILITIES_META_KEY,
    CLIENT_INFO_META_KEY,
    PROTOCOL_VERSION_META_KEY,
  });
});
