// The SDK's echo server on stdio; it speaks both eras of the protocol.

import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { echoServer } from './echo-server.js';

serveStdio(echoServer);
