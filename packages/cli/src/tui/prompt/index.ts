export { mostTextRows, promptLines } from './prompt-lines.ts';
