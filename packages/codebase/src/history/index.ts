// The door of `history`: queries git about the files of a tree.

export { Git, GIT_ENVIRONMENT, GIT_OVERRIDES } from './git.ts';
export { blameOf, type BlamedLine, type Commit, commitsOf } from './history.ts';
