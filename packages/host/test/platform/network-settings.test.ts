import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { networkSettings } from '../../src/platform/index.ts';

function settings(env: Record<string, string>) {
  return networkSettings({ env, cwd: '/work' });
}

describe('the network settings of the environment', () => {
  verifies('TRN-10');

  it.each([
    {},
    { HTTP_PROXY: '', HTTPS_PROXY: '  ' },
    { NO_PROXY: '*' },
    { PLUGBOARD_CLIENT_KEY: 'k' },
  ])('are empty with %o', (env) => {
    expect(settings(env)).toBeUndefined();
  });

  it('have a proxy for each scheme, and hosts without one', () => {
    const env = {
      HTTP_PROXY: 'http://a',
      HTTPS_PROXY: ' http://b ',
      NO_PROXY: 'One.org, two.org three.org,',
    };
    expect(settings(env)).toEqual({
      proxies: { http: 'http://a', https: 'http://b' },
      noProxy: ['one.org', 'two.org', 'three.org'],
    });
  });

  it('prefer the spelling in lower case', () => {
    const env = {
      https_proxy: 'http://low',
      HTTPS_PROXY: 'http://UP',
      no_proxy: 'low',
      NO_PROXY: 'up',
    };
    expect(settings(env)).toEqual({ proxies: { https: 'http://low' }, noProxy: ['low'] });
  });

  it('have a certificate, with its key in a separate file or in the same', () => {
    const PLUGBOARD_CLIENT_CERT = 'me.pem';
    const certFile = '/work/me.pem';
    const rest = { proxies: {}, noProxy: [] };
    expect(settings({ PLUGBOARD_CLIENT_CERT })).toEqual({
      ...rest,
      clientCertificate: { certFile, keyFile: certFile },
    });
    expect(settings({ PLUGBOARD_CLIENT_CERT, PLUGBOARD_CLIENT_KEY: '/keys/me.key' })).toEqual({
      ...rest,
      clientCertificate: { certFile, keyFile: '/keys/me.key' },
    });
  });
});
