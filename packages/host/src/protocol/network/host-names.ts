// Classifies host names without resolving them. Takes hosts as `URL` writes them, without brackets: in lower case, IPv4
// addresses in four parts. Pure.

import { isIP } from 'node:net';
import { classifyAddress } from './address-ranges.ts';

/** Whether the host is this machine, by name or by address. */
export function isLoopbackHost(host: string): boolean {
  if (isIP(host) !== 0) return classifyAddress(host).range === 'loopback';
  return /^(?:.+\.)?localhost$/.test(rootless(host));
}

/** Whether the name exists only inside a network and cannot be registered on the internet. */
export function isInnerHost(host: string): boolean {
  const name = rootless(host);
  return isIP(name) === 0 && (!name.includes('.') || INNER.test(name));
}

/** Whether the name is that of a cloud's metadata service, which holds the machine's credentials. */
export function isMetadataHost(host: string): boolean {
  return METADATA.test(rootless(host));
}

export function isSameHost(one: string, other: string): boolean {
  return rootless(one) === rootless(other);
}

/** `example.com.` is `example.com`. */
function rootless(host: string): string {
  return host.replace(/\.$/, '');
}

const INNER = /\.(?:corp|home|home\.arpa|internal|intranet|lan|local|localdomain|localhost)$/;
const METADATA =
  /^(?:metadata|metadata\.goog|metadata\.(?:google|azure)\.internal|instance-data(?:\.ec2\.internal)?)$/;
