// Checks a server's request with the schemas of the SDK, for the legacy client. A file of its own, because it loads the SDK.

import { specTypeSchemas } from '@modelcontextprotocol/client';
import { inboundRequest } from './neutral/inbound-requests.ts';

export function isSoundRequest(request: { readonly method: string }): boolean {
  const schema = inboundRequest(request.method)?.schema;
  if (schema === undefined) return true;
  return specTypeSchemas[schema]['~standard'].validate(request).issues === undefined;
}
