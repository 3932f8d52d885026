export {
  createGateway,
  type Gateway,
  type GatewayOptions,
  type HttpAddress,
  type Listening,
  type StdioClient,
} from './gateway.ts';
export type { Offering, Profile } from './endpoint/index.ts';
