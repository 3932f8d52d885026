import { isIP } from 'node:net';

/** An IPv4 or IPv6 address, not a name. */
export function isAddress(host: string): boolean {
  return isIP(host) !== 0;
}
