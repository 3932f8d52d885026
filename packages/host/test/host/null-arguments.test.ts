import { describe, expect, it } from 'vitest';
import { checkArguments, schemaCheck } from '../../src/host/schema-check.ts';

describe('null arguments', () => {
  const schema = {
    type: 'object',
    properties: {
      region: { type: 'string' },
      verbose: { type: 'boolean' },
      note: { type: ['string', 'null'] },
      'a/b~c': { type: 'integer' },
    },
    required: ['region'],
  };

  it('are dropped if the schema refuses null and does not require them', async () => {
    const check = await schemaCheck(schema);
    const given = { region: 'eu', verbose: null, note: null, 'a/b~c': null };
    expect(checkArguments(given, check)).toEqual({
      ok: true,
      value: { region: 'eu', note: null },
    });
  });

  it('are sent unchanged if the schema allows them', async () => {
    const check = await schemaCheck(schema);
    const given = { region: 'eu', note: null };
    const checked = checkArguments(given, check);
    expect(checked.ok && checked.value).toBe(given);
  });

  it('are an issue if the argument is required, or something else is wrong', async () => {
    const check = await schemaCheck(schema);
    expect(checkArguments({ region: null, verbose: null }, check)).toEqual({
      ok: false,
      error: [
        { path: '/region', message: 'must be string' },
        { path: '/verbose', message: 'must be boolean' },
      ],
    });
    expect(checkArguments({ region: 5, verbose: null }, check)).toMatchObject({ ok: false });
  });
});
