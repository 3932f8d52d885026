// The door of `history`: what git knows of the files of a tree.

export { Git, GIT_ENVIRONMENT, GIT_OVERRIDES } from './git.ts';
export { blameOf, type BlamedLine, type Commit, commitsOf } from './history.ts';
