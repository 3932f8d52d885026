// The door of `scripts`: runs scripts over tools in a sandbox.

export { Scripts } from './scripts.ts';
