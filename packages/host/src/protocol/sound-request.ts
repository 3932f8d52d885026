// Checks what a server asks by the SDK's own rules, for a client that is not the SDK's.

import { specTypeSchemas } from '@modelcontextprotocol/client';

/** As the rules have it; nothing where it breaks them. */
export function soundRequest(request: {
  readonly method: string;
}): Readonly<Record<string, unknown>> | undefined {
  const { ElicitRequest, CreateMessageRequest } = specTypeSchemas;
  const schema = request.method === 'elicitation/create' ? ElicitRequest : CreateMessageRequest;
  const read = schema['~standard'].validate(request);
  return read.issues === undefined ? read.value : undefined;
}
