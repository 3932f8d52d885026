// Checks what a server asks by the SDK's own rules, for a client that is not the SDK's.

import { specTypeSchemas } from '@modelcontextprotocol/client';

export function isSoundRequest(request: { readonly method: string }): boolean {
  const { ElicitRequest, CreateMessageRequest } = specTypeSchemas;
  const schema = request.method === 'elicitation/create' ? ElicitRequest : CreateMessageRequest;
  return schema['~standard'].validate(request).issues === undefined;
}
