import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { strayEndpoint } from '../../../src/protocol/authorization/issuer-proof.ts';

interface StatedMetadata {
  readonly issuer: string;
  readonly token: string;
  readonly authorization?: string;
  readonly device?: string;
}

function told({ issuer, token, authorization = token, device }: StatedMetadata) {
  return {
    metadata: {
      issuer,
      token_endpoint: token,
      authorization_endpoint: authorization,
      response_types_supported: ['code'],
    },
    deviceEndpoint: device,
  };
}

const MICROSOFT = 'https://login.microsoftonline.com/contoso';
const COGNITO = 'https://cognito-idp.us-east-1.amazonaws.com/us-east-1_abc';

describe('metadata at a configured address', () => {
  verifies('POL-12');

  it.each([
    [
      'Google, whose tokens come from another host',
      'https://accounts.google.com/.well-known/openid-configuration',
      {
        issuer: 'https://accounts.google.com',
        token: 'https://oauth2.googleapis.com/token',
        authorization: 'https://accounts.google.com/o/oauth2/v2/auth',
        device: 'https://oauth2.googleapis.com/device/code',
      },
    ],
    [
      'Cognito, whose endpoints are on a domain of the customer',
      `${COGNITO}/.well-known/openid-configuration`,
      { issuer: COGNITO, token: 'https://acme.auth.us-east-1.amazoncognito.com/oauth2/token' },
    ],
    [
      'Entra, with an issuer that has a path',
      `${MICROSOFT}/v2.0/.well-known/openid-configuration`,
      { issuer: `${MICROSOFT}/v2.0`, token: `${MICROSOFT}/oauth2/v2.0/token` },
    ],
    [
      'Azure B2C, which publishes at another path than its issuer',
      'https://acme.b2clogin.com/acme/b2c_1/v2.0/.well-known/openid-configuration',
      { issuer: 'https://acme.b2clogin.com/1234/v2.0/', token: 'https://acme.b2clogin.com/token' },
    ],
    [
      'an issuer with a slash at its end',
      'https://acme.auth0.com/.well-known/oauth-authorization-server',
      { issuer: 'https://acme.auth0.com/', token: 'https://tokens.auth0.com/oauth/token' },
    ],
    [
      'a copy elsewhere that leads to the issuer alone',
      'https://mirror.example/metadata.json',
      { issuer: 'https://login.example', token: 'https://login.example/token' },
    ],
  ])('is accepted for its issuer: %s', (_, url, named) => {
    expect(strayEndpoint(told(named), url)).toBe(undefined);
  });

  it.each([
    [
      'a document of a stranger',
      'https://evil.example/metadata.json',
      { issuer: 'https://login.example', token: 'https://evil.example/token' },
      'token_endpoint',
    ],
    [
      'a file that any user can put on the host of the issuer',
      'https://gitlab.example/mallory/x/-/raw/main/metadata.json',
      { issuer: 'https://gitlab.example', token: 'https://evil.example/token' },
      'token_endpoint',
    ],
    [
      'a stranger who only wants to see the person',
      'https://evil.example/metadata.json',
      {
        issuer: 'https://login.example',
        token: 'https://login.example/token',
        authorization: 'https://evil.example/authorize',
      },
      'authorization_endpoint',
    ],
    [
      'a stranger who only gives out codes',
      'https://evil.example/metadata.json',
      {
        issuer: 'https://login.example',
        token: 'https://login.example/token',
        device: 'https://evil.example/device',
      },
      'device_authorization_endpoint',
    ],
    [
      'another port of the same host',
      'https://login.example:8443/metadata.json',
      { issuer: 'https://login.example', token: 'https://login.example:8443/token' },
      'token_endpoint',
    ],
    [
      'an issuer that is no address',
      'https://evil.example/metadata.json',
      { issuer: 'login', token: 'https://evil.example/token' },
      'issuer',
    ],
  ])('is not accepted for the issuer that it names: %s', (_, url, named, field) => {
    expect(strayEndpoint(told(named), url)).toBe(field);
  });
});
