// Generates the files that follow from the shapes of the settings. Pure, except that `read` returns the current page,
// whose hand-written part is kept.

import {
  mcpJsonSchema,
  settingsSchema,
} from '../../packages/host/src/config/settings/settings-schema.ts';
import type { GeneratedFile, ReadFile } from '../source/generated-files.ts';
import { writeTables } from './settings-page.ts';

const SETTINGS_PAGE = 'docs/settings.md';

export function settingsFiles(read: ReadFile): readonly GeneratedFile[] {
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
