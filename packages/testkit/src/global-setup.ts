// Runs once before all tests: brings what tests need and a fresh machine does not have. Vitest calls
// the function of this name.

export { installNewerNode as setup } from './newer-node.ts';
