import type { IncomingMessage } from 'node:http'
import { sendHttpRequest } from '@muster/http'
import type { Connections } from './connections.ts'

export type RequestOptions = {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** Aborts the request, and the response while its body is read. */
  signal?: AbortSignal
}

export type Answer = {
  status: number
  statusText: string
  isSuccess: boolean
  header(name: string): string | undefined
  /** To be read to its end, or destroyed. */
  body: IncomingMessage
  text(): Promise<string>
  /** The seconds of Retry-After. */
  retryAfterSeconds: number | undefined
}

/** Sends a request. Redirects are refused: they could carry the credential to another host. */
export async function sendRequest(connections: Connections, url: URL, options: RequestOptions = {}): Promise<Answer> {
  const agent = url.protocol === 'https:' ? connections.https : connections.http
  const response = await sendHttpRequest(url, { ...options, agent })
  const answer = toAnswer(response)
  if (answer.status < 300 || answer.status >= 400) return answer
  response.destroy()
  throw new Error(`it answered ${answer.status}: redirects are not followed`)
}

function toAnswer(message: IncomingMessage): Answer {
  const status = message.statusCode ?? 0
  const header = (name: string) => {
    const value = message.headers[name]
    return Array.isArray(value) ? value[0] : value
  }
  return {
    status,
    statusText: message.statusMessage ?? '',
    isSuccess: status >= 200 && status < 300,
    header,
    body: message,
    text: () => readText(message),
    retryAfterSeconds: parseRetryAfter(header('retry-after')),
  }
}

/** Answers with the content of work are the largest, and far below this. A file is not read in this way. */
const maxTextBytes = 64 * 1024 * 1024

async function readText(message: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of message as AsyncIterable<Buffer>) {
    size += part.length
    if (size > maxTextBytes) throw new Error(`it is larger than ${maxTextBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** A number of seconds, or a date. */
function parseRetryAfter(value: string | undefined): number | undefined {
  if (value === undefined || value.trim() === '') return undefined
  const seconds = /^\d+$/.test(value.trim()) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}
