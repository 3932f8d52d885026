// The files that follow from the shapes of our settings, as they should be. Pure but for `read`, which
// gives the present text of the page, whose hand-written part is kept.

import { mcpJsonSchema, settingsSchema } from '../../packages/host/src/config/settings-schema.ts';
import { writeTables } from './settings-page.ts';

export interface GeneratedFile {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly text: string;
}

const SETTINGS_PAGE = 'docs/settings.md';

export function generatedFiles(read: (path: string) => string): readonly GeneratedFile[] {
  const settings = settingsSchema();
  return [
    { path: 'packages/host/settings.schema.json', text: documentOf(settings) },
    { path: 'packages/host/mcp.schema.json', text: documentOf(mcpJsonSchema()) },
    { path: SETTINGS_PAGE, text: writeTables(read(SETTINGS_PAGE), settings) },
  ];
}

function documentOf(schema: object): string {
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}
