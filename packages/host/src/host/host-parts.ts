// The parts of a host, as `createHost` assembles them.

import type { Clock, Logger } from '@plugboard/base';
import type { Authorizations } from '../auth/index.ts';
import type { CatalogStore } from '../catalog/index.ts';
import type { ConnectLimits, Supervisor } from '../connection/index.ts';
import type { Output } from '../output/index.ts';
import type { PinMode } from '../pins/index.ts';
import type { Records } from '../records/index.ts';
import type { Scripts } from '../scripts/index.ts';
import type { Approver, ReadApprover } from './approver.ts';
import type { ConnectorUpkeep } from './connector-upkeep.ts';
import type { HostInbound } from './host-inbound.ts';
import type { HotReloadPorts, LoadedConfiguration } from './hot-reload.ts';
import type { KeptApprovals } from './kept-approvals.ts';
import type { ProgramServers } from './program-servers.ts';
import type { SignInPorts } from './sign-ins.ts';

export interface HostParts {
  readonly loaded: LoadedConfiguration;
  readonly program: ProgramServers;
  /** How the configuration is read again. */
  readonly following: Pick<HotReloadPorts, 'load' | 'carry' | 'watch'>;
  /** Works beside the host, and ends with it. */
  readonly connectors: ConnectorUpkeep;
  readonly authorizations: Authorizations;
  readonly signIns: SignInPorts;
  readonly approve: Approver;
  readonly approveRead: ReadApprover;
  readonly approvals: KeptApprovals;
  readonly output: Output;
  readonly scripts: Scripts;
  readonly supervisor: Supervisor;
  readonly inbound: HostInbound;
  readonly store: CatalogStore;
  readonly records: Records;
  /** The folder of the user's state. */
  readonly state: string;
  /** Settings of the program that take precedence over those of its user. */
  readonly stated: {
    readonly pins: PinMode | undefined;
    readonly limits: Partial<ConnectLimits> | undefined;
  };
  readonly clock: Clock;
  readonly logger: Logger;
}
