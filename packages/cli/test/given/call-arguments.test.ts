import type { JsonObject } from '@plugboard/base';
import { describe, expect, it } from 'vitest';
import { parseArguments, toValues } from '../../src/given/call-arguments.ts';

const SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    number: { type: 'number' },
    count: { type: 'integer' },
    flag: { type: 'boolean' },
    list: { type: 'array' },
    record: { type: 'object' },
    either: { type: ['string', 'number'] },
    nothing: { type: ['null', 'integer'] },
    optional: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    textOrNumber: { oneOf: [{ type: 'number' }, { type: 'string' }] },
    referred: { $ref: '#/$defs/Count' },
    circular: { $ref: '#/$defs/Circle' },
    dangling: { $ref: '#/$defs/Nowhere' },
    silent: {},
  },
  $defs: { Count: { type: 'integer' }, Circle: { anyOf: [{ $ref: '#/$defs/Circle' }] } },
};

async function valuesOf(...words: string[]): Promise<JsonObject> {
  return toValues(await parseArguments(words), SCHEMA);
}

describe('parsing the arguments of a call', () => {
  it.each([
    ['text=42', '42'],
    ['number=-1.5', -1.5],
    ['number=1e3', 1000],
    ['number=.5', 0.5],
    ['count=7', 7],
    ['flag=true', true],
    ['flag=false', false],
    ['nothing=null', null],
    ['nothing=3', 3],
    ['either=3', '3'],
    ['optional=3', 3],
    ['optional=null', null],
    ['textOrNumber=3', '3'],
    ['referred=3', 3],
    ['silent=3', '3'],
    ['unheard-of=3', '3'],
    ['circular=3', '3'],
    ['dangling=3', '3'],
    ['constructor=3', '3'],
    ['text=', ''],
    ['text=a=b:=c', 'a=b:=c'],
    ['text:=42', 42],
    ['list:=["a", {"b": null}]', ['a', { b: null }]],
    ['list=[["a",1]]', [['a', 1]]],
    ['record={"a":1}', { a: 1 }],
    ['text=["a"]', '["a"]'],
    ['silent={"a":1}', '{"a":1}'],
  ])('converts %s by the schema', async (word, value) => {
    expect(Object.values(await valuesOf(word))).toEqual([value]);
  });

  it.each([
    'number=',
    'number=ten',
    'number=0x10',
    'number=1 2',
    'count=NaN',
    'flag=yes',
    'list=a',
    'list={"a":1}',
    'list=["a"',
    'record=["a"]',
    'record=1',
  ])('leaves %s as text, for the tool to refuse', async (word) => {
    expect(Object.values(await valuesOf(word))).toEqual([word.slice(word.indexOf('=') + 1)]);
  });

  it('does not lose the last digits of a number', async () => {
    expect(await valuesOf('count=9007199254740993')).toEqual({ count: '9007199254740993' });
  });

  it('accepts any name, also those of object prototypes', async () => {
    const values = await valuesOf('__proto__:={"admin":true}');
    expect(Object.keys(values)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });
});
