export {
  type ConsoleOptions,
  createGateway,
  type Gateway,
  type GatewayOptions,
  type HttpAddress,
  type Listening,
  type ListeningConsole,
  type StdioClient,
} from './gateway.ts';
export type { Offering, Profile } from './endpoint/index.ts';
