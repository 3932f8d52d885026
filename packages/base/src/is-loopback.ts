/** Whether a host is this machine; an IPv6 address may be in brackets, as in `URL.hostname`. No name is resolved. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
}
