import { Agent, type IncomingMessage, request } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

export type FuzzAnswer = {
  status: number
  headers: Record<string, string | undefined>
  bytes: Buffer
  text: string
  /** The parsed body; undefined if it is not JSON. */
  json: unknown
}

export type SentRequest = { method: string; path: string; headers: Record<string, string>; body: Buffer | undefined }

export type Sender = { send(sent: SentRequest): Promise<FuzzAnswer>; close(): void }

/** No answer may take longer, even on a busy machine. */
const answerTimeoutMs = 20_000

/** Event streams do not end: their beginning shows that they have begun. */
const streamType = 'text/event-stream'

/** Sends requests on connections that stay open. */
export function openSender(address: string, connections: number): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const { hostname: host, port } = new URL(address)
  const attempt = ({ method, path, headers, body }: SentRequest) =>
    new Promise<FuzzAnswer>((resolve, reject) => {
      const length = body || method !== 'GET' ? { 'Content-Length': String(body?.length ?? 0) } : {}
      const sent = request({
        agent,
        host,
        port,
        method,
        path,
        headers: { ...headers, ...length },
        timeout: answerTimeoutMs,
      })
      sent.on('timeout', () => sent.destroy(new Error(`No answer within ${answerTimeoutMs} ms.`)))
      sent.on('error', (error) => reject(Object.assign(error, { isReused: sent.reusedSocket })))
      sent.on('response', (response) => {
        const chunks: Buffer[] = []
        const finish = () => resolve(toAnswer(response, Buffer.concat(chunks)))
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', finish)
        response.on('error', reject)
        if (response.headers['content-type'] !== streamType) return
        finish()
        sent.destroy()
      })
      sent.end(body)
    })
  return {
    // The service may close a connection that was kept open at the moment of the next request.
    send: (sent) =>
      attempt(sent).catch((error: Error & { code?: string; isReused?: boolean }) => {
        if (error.code === 'ECONNRESET' && error.isReused) return attempt(sent)
        throw error
      }),
    close: () => agent.destroy(),
  }
}

function toAnswer({ statusCode = 0, headers }: IncomingMessage, received: Buffer): FuzzAnswer {
  const bytes = received.length > 0 ? decode(received, headers['content-encoding']) : received
  const text = bytes.toString()
  const isJson = /json/.test(headers['content-type'] ?? '')
  return {
    status: statusCode,
    headers: headers as Record<string, string>,
    bytes,
    text,
    json: isJson ? parse(text) : undefined,
  }
}

function decode(bytes: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'gzip') return gunzipSync(bytes)
  if (encoding === 'br') return brotliDecompressSync(bytes)
  return encoding === 'deflate' ? inflateSync(bytes) : bytes
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
