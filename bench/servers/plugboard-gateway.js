// The gateway with its default options, a token, and the hand-written echo server behind it. The arguments are the port
// and the token.

import { fileURLToPath } from 'node:url';
import { createGateway } from '@plugboard/gateway';

const [port, token] = process.argv.slice(2);
const gateway = await createGateway({
  host: {
    files: 'none',
    permissions: { allow: ['echo/echo'] },
    servers: {
      echo: {
        command: process.execPath,
        args: [fileURLToPath(new URL('fast-echo.js', import.meta.url))],
      },
    },
  },
});
await gateway.listen({ port: Number(port), tokens: new Map([[token, 'bench']]) });
process.once('SIGTERM', () => void gateway.close().then(() => process.exit()));
