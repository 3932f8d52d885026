// `plugboard config schema`: prints the JSON Schema of the configuration files.

import mcpJson from '@plugboard/host/mcp.schema.json' with { type: 'json' };
import settings from '@plugboard/host/settings.schema.json' with { type: 'json' };
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../print/json.ts';

export function configSchema(context: Context, of: 'settings' | 'mcp-json'): ExitCode {
  printJson(context, of === 'settings' ? settings : mcpJson);
  return EXIT.ok;
}
