// The start of the page.

import { render } from 'preact';
import { takeLaunchToken } from './feed/launch-token.ts';
import { App } from './frame/app.tsx';
import { Connection } from './store/connection.ts';
import { ConsoleStore } from './store/console-store.ts';
import { ConsoleProvider } from './store/context.ts';
import { startKeepingFocus } from './ui/focus.ts';
import { startKeys } from './ui/keys.ts';
import { followTheme } from './ui/preference.ts';
import { startRouting } from './ui/route.ts';

const token = takeLaunchToken();
const store = new ConsoleStore();
const connection = new Connection(store);
// The state is requested before anything is drawn, so that both happen at the same time.
const opening = connection.open(token);
followTheme();
startRouting();
startKeys();
startKeepingFocus();
const root = document.querySelector('#page');
if (root !== null) {
  render(
    <ConsoleProvider value={{ store, connection }}>
      <App />
    </ConsoleProvider>,
    root,
  );
}
await opening;
