// Runs once before all tests, and installs what a fresh machine lacks. Vitest calls the function of this name.

export { installNewerNode as setup } from './newer-node.ts';
