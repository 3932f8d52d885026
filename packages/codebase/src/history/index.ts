// The door of `history`: what git knows of the files of a tree.

export { Git } from './git.ts';
export { blameOf, type BlamedLine, type Commit, commitsOf } from './history.ts';
