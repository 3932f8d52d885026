// The advice about a failed connection, by its code from the system or from TLS.

import { shortageFix } from '@plugboard/base';

export function networkFix(code: string): string {
  switch (code) {
    case 'ECONNREFUSED':
      return 'nothing listens there: start the server, or correct "url" in its entry';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'the host name is not known: correct "url" in its entry, or check your network';
    case 'BLOCKED_PORT':
      return 'the fetch standard blocks this port, so no program reaches it over HTTP: let the server listen on another port, and correct "url" in its entry';
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return 'no known authority signed its certificate: if you trust it, set NODE_EXTRA_CA_CERTS to the file of the one that did';
    default:
      return /CERT|TLS|SSL/.test(code)
        ? 'its certificate is not accepted: check its date, its host name and who signed it'
        : (shortageFix(code) ?? 'check "url" in its entry and your network, then try again');
  }
}
