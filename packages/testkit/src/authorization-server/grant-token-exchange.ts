// The identity provider in Cross-App Access: exchanges the id token of a user who signed in here for an identity
// assertion (ID-JAG) for another authorization server.

import { randomUUID } from 'node:crypto';
import { err, type JsonObject, ok } from '@plugboard/base';
import { ID_JAG_TYPE } from './grant-machine.ts';
import { optionalText, verifyJwt } from './jwt.ts';
import type { GrantType } from './token-request.ts';

const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';
const ASSERTION_SECONDS = 300;

export const tokenExchange: GrantType = ({ realm, client, parameters }) => {
  const { audience, resource, scope } = parameters;
  if (parameters.requested_token_type !== ID_JAG || parameters.subject_token_type !== ID_TOKEN) {
    return err({ error: 'invalid_request', description: 'only an id token for an id-jag' });
  }
  if (audience === undefined) return err({ error: 'invalid_request', description: 'no audience' });
  const idToken = verifyJwt(parameters.subject_token ?? '', [realm.signer.publicKey])?.claims;
  const seconds = Math.floor(realm.clock.now() / 1000);
  if (idToken === undefined || Number(idToken.exp) <= seconds) {
    return err({ error: 'invalid_grant', description: 'the id token is not valid' });
  }
  if (idToken.aud !== client.id) {
    return err({ error: 'invalid_grant', description: 'the id token is of another client' });
  }
  const claims: JsonObject = {
    iss: realm.issuer,
    sub: optionalText(idToken.sub) ?? '',
    aud: audience,
    client_id: client.idElsewhere ?? client.id,
    jti: randomUUID(),
    iat: seconds,
    exp: seconds + ASSERTION_SECONDS,
    ...(resource === undefined ? {} : { resource }),
    ...(scope === undefined ? {} : { scope }),
  };
  const assertion = realm.signer.sign(claims, { typ: ID_JAG_TYPE });
  return ok({
    kind: 'answer',
    body: {
      issued_token_type: ID_JAG,
      access_token: realm.secrets.keep('identity-assertion', assertion),
      token_type: 'N_A',
      expires_in: ASSERTION_SECONDS,
      ...(scope === undefined ? {} : { scope }),
    },
  });
};
