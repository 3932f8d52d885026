// A server for embeddings on loopback with scripted answers, which records its requests.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface EmbeddingRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: { readonly input: readonly string[]; readonly [key: string]: unknown };
}

export type Answer = (request: EmbeddingRequest, response: ServerResponse) => void;

export interface EmbeddingServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: EmbeddingRequest[];
  /** One-time answers for the next requests; `answer` answers later ones. */
  readonly next: Answer[];
  answer: Answer;
}

/** A vector that differs for texts of different lengths, and is not of length one. */
export const vectorFor = (text: string): number[] => [text.length, 1, 2];

export const openAiAnswer: Answer = ({ body }, response) => {
  const data = body.input.map((text, index) => ({ index, embedding: vectorFor(text) }));
  // Servers may answer in any order; the index counts.
  response.end(JSON.stringify({ data: data.toReversed() }));
};

export const ollamaAnswer: Answer = ({ body }, response) => {
  response.end(JSON.stringify({ embeddings: body.input.map(vectorFor) }));
};

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_, response) => {
    response.writeHead(code, headers).end('{"error":"the key sk-secret is wrong"}');
  };

export async function startEmbeddingServer(answer: Answer): Promise<EmbeddingServer> {
  const requests: EmbeddingRequest[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => {
      text += piece;
    });
    request.on('end', () => {
      const received: EmbeddingRequest = {
        path: request.url ?? '',
        headers: request.headers,
        body: JSON.parse(text) as EmbeddingRequest['body'],
      };
      requests.push(received);
      (running.next.shift() ?? running.answer)(received, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const running: EmbeddingServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    next: [],
    answer,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return running;
}
