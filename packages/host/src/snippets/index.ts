// The door of `snippets`: scripts that the user saved under a name.

export {
  isSnippetName,
  type ReadSnippet,
  scriptDigest,
  type Snippet,
  type SnippetProblem,
  Snippets,
} from './snippets.ts';
