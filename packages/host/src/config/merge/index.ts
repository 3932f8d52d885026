export { type Claim, claim, isDefinition, type RawEntry } from './claim.ts';
export {
  configure,
  type ConfiguredServer,
  explainFields,
  type FieldReport,
  type RejectedServer,
  type SourceReport,
  type ResolutionContext,
} from './configured-server.ts';
export { entryFindings, entryProblems, newProblems, patchProblems } from './entry-problems.ts';
export { claimsByName, mergeClaims, withhold } from './merge-claims.ts';
export { readEntry } from './read-entry.ts';
