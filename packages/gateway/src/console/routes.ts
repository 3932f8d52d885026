// All routes of the console's API, except the feed and the session of a browser.

import { callRoutes } from './call-routes.ts';
import type { Console } from './console.ts';
import { contextRoutes } from './context.ts';
import { definitionRoutes } from './definitions.ts';
import { offersRoute } from './offers.ts';
import type { Route } from './route.ts';
import { ruleRoutes } from './rules.ts';
import { runRoute } from './run.ts';
import { savedCallRoutes } from './saved-calls.ts';
import { serverRoutes } from './server-routes.ts';
import { waitingRoutes } from './waiting.ts';

export function consoleRoutes(shown: Console): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/state',
      answer: ({ reader }) => ({ kind: 'json', body: shown.state(reader) }),
    },
    ...callRoutes(shown.recorder),
    offersRoute(shown.host),
    runRoute(shown),
    ...serverRoutes(shown),
    ...ruleRoutes(shown.settings),
    ...definitionRoutes(shown.host),
    ...contextRoutes(shown),
    ...savedCallRoutes(shown),
    ...waitingRoutes(shown.core.options.desk),
  ];
}
