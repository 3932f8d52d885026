// What the system bounds.

/** Of all arguments of one program together, with room left for what else counts against the bound. */
export function mostArgumentBytes(): number {
  return process.platform === 'win32' ? 24 * 1024 : 256 * 1024;
}
