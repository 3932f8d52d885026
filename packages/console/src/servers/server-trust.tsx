// What a server that came with a folder or plugin would start. The approval covers exactly what is shown here.

import type { ServerView, TrustView } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { Text } from '../text/text.tsx';
import { Icon } from '../ui/icon.tsx';
import { ServerActions } from './server-actions.tsx';

interface ServerTrustProps {
  readonly server: ServerView;
  readonly trust: TrustView;
}

export function ServerTrust({ server, trust }: ServerTrustProps): JSX.Element {
  const { digest, root, fields, risks } = trust;
  return (
    <section class="trust" aria-label="What would start">
      <h3>What would start</h3>
      <dl class="facts">
        <div class="fact-wide">
          <dt>Came with</dt>
          <dd>
            <Text of={root} />
          </dd>
        </div>
        {fields.map(({ name, value }) => (
          <div class="fact-wide" key={name}>
            <dt>
              <Text of={name} />
            </dt>
            <dd>
              <code>
                <Text of={value} />
              </code>
            </dd>
          </div>
        ))}
      </dl>
      {risks.map((risk) => (
        <p key={risk} class="signed-text tone-warn">
          <Icon name="alert" />
          <Text of={risk} />
        </p>
      ))}
      <ServerActions
        server={server}
        actions={[
          {
            title: 'Trust as shown',
            icon: 'shield',
            action: { kind: 'trust', digest },
            isMain: true,
          },
        ]}
      />
    </section>
  );
}
