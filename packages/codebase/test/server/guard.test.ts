import { describe, expect, it } from 'vitest';
import { type GuardedHeaders, type GuardRules, judge } from '../../src/server/http/guard.ts';

const headers = { host: 'localhost:1' };
const local: GuardRules = {
  host: '127.0.0.1',
  allowedHosts: [],
  allowedOrigins: [],
  token: undefined,
};
const open: GuardRules = {
  host: '0.0.0.0',
  allowedHosts: ['code.example'],
  allowedOrigins: ['https://tools.example:8443'],
  token: 'a-token',
};
const bearer = 'Bearer a-token';

const kindOf = (given: GuardedHeaders, rules: GuardRules) =>
  judge({ ...headers, ...given }, rules).kind;

describe('the HTTP guard', () => {
  it('accepts only the names of this machine on loopback', () => {
    expect(kindOf({}, local)).toBe('passed');
    expect(kindOf({ host: '[::1]:80' }, local)).toBe('passed');
    for (const host of [
      undefined,
      '',
      'evil.example',
      '192.168.0.1',
      'a@localhost',
      'local host',
    ]) {
      expect(kindOf({ host }, local)).toBe('refused');
    }
  });

  it('accepts allowed addresses and names when it listens on other interfaces', () => {
    for (const host of ['10.1.2.3:80', '[fe80::1]:80', 'code.example', 'CODE.example:443']) {
      expect(kindOf({ host, authorization: bearer }, open)).toBe('passed');
    }
    expect(kindOf({ host: 'evil.example', authorization: bearer }, open)).toBe('refused');
  });

  it('accepts pages of this machine and of allowed origins', () => {
    const rules = { ...local, allowedOrigins: open.allowedOrigins };
    const ours = [
      'http://localhost:3000',
      'http://127.0.0.1',
      'https://[::1]:8',
      'https://TOOLS.example:8443',
    ];
    for (const origin of ours) expect(kindOf({ origin }, rules)).toBe('passed');
    for (const origin of [
      'null',
      '',
      'http://evil.example',
      'http://localhost.evil.example',
      'https://tools.example',
      'http://tools.example:8443',
      'https://tools.example:8443@evil.example',
      'file://localhost',
    ]) {
      expect(kindOf({ origin }, rules)).toBe('refused');
    }
  });

  it('checks the token after the names, and accepts no other token', () => {
    expect(judge(headers, open)).toMatchObject({ kind: 'refused', status: 401 });
    expect(judge({ ...headers, host: 'evil.example' }, open)).toMatchObject({ status: 403 });
    expect(kindOf({ authorization: 'bearer a-token' }, open)).toBe('passed');
    for (const authorization of ['Bearer a-toke', 'Bearer a-token2', 'Bearer', 'a-token']) {
      expect(kindOf({ authorization }, open)).toBe('refused');
    }
  });
});
