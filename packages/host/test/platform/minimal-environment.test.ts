import { verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minimalEnvironment } from '../../src/platform/minimal-environment.ts';

const variables = fc.dictionary(fc.string(), fc.string());

describe('the environment of a started program', () => {
  verifies('TRN-01');

  it('contains what programs need and nothing that could be meant for others', () => {
    const source = {
      PATH: '/bin',
      HOME: '/home/ada',
      USER: 'ada',
      SHELL: '/bin/sh',
      LANG: 'C',
      LC_ALL: 'C',
      LC_TIME: 'de',
      TERM: 'dumb',
      TMPDIR: '/tmp',
      TZ: 'UTC',
    };
    const secrets = {
      API_KEY: 'secret',
      AWS_SECRET_ACCESS_KEY: 'secret',
      NODE_OPTIONS: '--inspect',
      LD_PRELOAD: '/evil.so',
      path: 'lower case is another name',
      MY_LC_ALL: 'secret',
    };
    expect(minimalEnvironment({ ...source, ...secrets }, {})).toEqual(source);
  });

  it('includes the variables that the entry names', () => {
    const source = { PATH: '/bin', HOME: '/home/ada', TOKEN: 'of the host' };
    expect(minimalEnvironment(source, { PATH: '/opt', TOKEN: 'named' })).toEqual({
      PATH: '/opt',
      HOME: '/home/ada',
      TOKEN: 'named',
    });
  });

  it('always contains all named variables, and beside them only those of the host', () => {
    fc.assert(
      fc.property(variables, variables, (source, named) => {
        const environment = minimalEnvironment(source, named);
        expect(environment).toMatchObject(named);
        for (const [name, value] of Object.entries(environment)) {
          expect(Object.hasOwn(named, name) ? named[name] : source[name]).toBe(value);
        }
      }),
    );
  });

  it('leaves out variables that are not set', () => {
    expect(minimalEnvironment({ PATH: undefined, TZ: '' }, {})).toEqual({ TZ: '' });
  });

  it('accepts Windows names in any spelling, and has one spelling of each', () => {
    const source = { SystemRoot: 'C:\\Windows', Path: 'C:\\bin', PATHEXT: '.EXE', Secret: 'x' };
    expect(minimalEnvironment(source, { PATH: 'D:\\bin' })).toEqual({
      SystemRoot: 'C:\\Windows',
      PATHEXT: '.EXE',
      PATH: 'D:\\bin',
    });
  });
});
