// Checks what a server asks by the SDK's own rules, for a client that is not the SDK's.

import { specTypeSchemas } from '@modelcontextprotocol/client';
import { inboundRequest } from './neutral/inbound-requests.ts';

export function isSoundRequest(request: { readonly method: string }): boolean {
  const schema = inboundRequest(request.method)?.schema;
  if (schema === undefined) return true;
  return specTypeSchemas[schema]['~standard'].validate(request).issues === undefined;
}
