export { Catalog, type CatalogTool, type ServerOffer } from './catalog.ts';
export {
  type CutReason,
  DEFAULT_LIST_LIMITS,
  listAllTools,
  type ListLimits,
  type ToolListing,
} from './list-all-tools.ts';
export { assignNames, MAX_NAME_LENGTH, plainName, type ToolIdentity } from './model-name.ts';
export type { ToolFilter } from './tool-filter.ts';
