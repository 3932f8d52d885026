// The steps of a call, each done by whoever knows how.

import { claimsOf } from '../catalog/index.ts';
import type { Output } from '../output/index.ts';
import { schemaCheck } from './schema-check.ts';
import type { CallSteps } from './call.ts';
import { CallOrder } from './call-order.ts';
import type { CallPermission } from './call-permission.ts';
import type { ServerSet } from './server-set.ts';
import type { ToolLookup } from './tool-lookup.ts';

export interface CallParts {
  readonly lookup: ToolLookup;
  readonly permission: CallPermission;
  readonly servers: ServerSet;
  readonly output: Output;
}

export function callSteps({ lookup, permission, servers, output }: CallParts): CallSteps {
  const order = new CallOrder();
  return {
    resolve: (reference, signal) => lookup.resolve(reference, signal),
    renew: (tool, signal) => lookup.renew(tool, signal),
    checkOf: schemaCheck,
    enter: ({ server, definition }) =>
      claimsOf(definition.annotations).isConcurrencySafe || servers.get(server)?.isParallel === true
        ? undefined
        : order.enter(server),
    permit: (request) => permission.permit(request),
    connect: (server, signal) => servers.ready(server) ?? servers.connect(server, signal),
    deadlinesOf: (server) => servers.deadlinesOf(server),
    recheck: (tool) => lookup.recheck(tool),
    review: (reviewed, result) => permission.review(reviewed, result),
    fit: (result, { server, definition }) =>
      output.fit(result, definition, servers.get(server)?.output),
  };
}
