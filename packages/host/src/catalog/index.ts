export { Catalog, type CatalogTool, type ServerOffer } from './catalog.ts';
export { listAllTools } from './list-all-tools.ts';
export type { ToolIdentity } from './model-name.ts';
export type { ToolFilter } from './tool-filter.ts';
