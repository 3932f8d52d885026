export { AnswerCache, type CachePolicy } from './answer-cache.ts';
export { modelText } from './capped-text.ts';
export { CatalogStore } from './catalog-store.ts';
export {
  Catalog,
  type CatalogTool,
  letsThrough,
  type ServerOffer,
  type ToolFilter,
} from './catalog.ts';
export { editionFingerprint, fingerprintOf } from './fingerprint.ts';
export { type HostTool, toHostTool } from './host-tool.ts';
export { type KnownPins, knownPins } from './known-pins.ts';
export { type KnownTools, knownTools } from './known-tools.ts';
export { type CutReason, listAll, type Listing } from './list-all.ts';
export {
  assignNames,
  type NameForm,
  namedInModelName,
  namePrefixOf,
  type ToolReference,
} from './model-name.ts';
export type { StoredList } from './stored-server.ts';
export { claimsOf } from './tool-claims.ts';
export {
  expandTemplate,
  fitsTemplate,
  templateVariables,
  type TemplateProblem,
  type TemplateValue,
} from './uri-template.ts';
