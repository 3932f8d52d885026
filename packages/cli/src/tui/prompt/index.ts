export { promptLines } from './prompt-lines.ts';
