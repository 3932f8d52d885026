// The door of `scan`: the files of a tree, as listed, read and watched inside its root.

export { decodeText, isBinaryText } from './decode-text.ts';
export {
  type DirectoryEntry,
  type DirectoryPage,
  type DirectoryRequest,
} from './list-directory.ts';
export { complaintsIn, isSameFile, type ListedFile, listFiles, listPaths } from './list-files.ts';
export { JointTree, memberAt, type NamedRoot } from './joint-tree.ts';
export { type PathProblem, type PathProblemCode } from './path-problem.ts';
export { hasWalkedAll, relativePathOf, WALK_ARGUMENTS, walkedPlaces } from './ripgrep-walk.ts';
export {
  contentHash,
  type FilePage,
  type FileStat,
  type ReadRequest,
  Root,
  type Tree,
} from './root.ts';
export {
  type TreeSubscription,
  TreeFollower,
  type TreeListener,
  type TreeState,
} from './tree-follower.ts';
export { type TreeChange, TreeWatch } from './watch-tree.ts';
