export { ClientApprovals } from './approvals.ts';
export { ClientTasks } from './client-tasks.ts';
export { Endpoint } from './endpoint.ts';
export { appOf } from './lists.ts';
export type { Offering, Profile, Scope } from './scope.ts';
export { ServerLists } from './server-lists.ts';
export { Upstream, type UpstreamListener, type UpstreamOf } from './upstream.ts';
