// The door of `snippets`: scripts that the user keeps by name.

export {
  isSnippetName,
  type ReadSnippet,
  scriptDigest,
  type Snippet,
  type SnippetProblem,
  Snippets,
} from './snippets.ts';
