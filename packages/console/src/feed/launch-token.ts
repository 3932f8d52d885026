// Reads the launch token from the fragment of the address, which browsers send to no server, and removes it from the address
// bar and the history at once.

const FRAGMENT = /^#token=([\w.~-]+)$/;

export function takeLaunchToken(): string | undefined {
  const token = FRAGMENT.exec(location.hash)?.[1];
  if (token !== undefined) history.replaceState(null, '', location.pathname);
  return token;
}
