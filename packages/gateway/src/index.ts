export {
  createGateway,
  type Gateway,
  type GatewayOptions,
  type HttpAddress,
  type Listening,
} from './gateway.ts';
export type { Profile } from './endpoint/index.ts';
