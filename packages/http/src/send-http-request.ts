import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { type RequestOptions, request as requestHttps } from 'node:https'

export type HttpRequest = Pick<RequestOptions, 'method' | 'headers' | 'lookup'> & {
  body?: string | undefined
  /** The connections to use; false for a new connection, which is closed afterwards. */
  agent: Exclude<RequestOptions['agent'], undefined>
  /** Ends the request, and the response while its body is read, with its reason. */
  signal?: AbortSignal | undefined
}

/**
 * Sends a request with `node:http`, and returns the response as soon as its headers have arrived. Whatever the other side sends
 * instead, the promise is settled when the connection is closed, and at the latest when the signal is aborted.
 */
export async function sendHttpRequest(url: URL, request: HttpRequest): Promise<IncomingMessage> {
  for (;;) {
    const outcome = await exchange(url, request)
    if (outcome !== 'closed before') return outcome
  }
}

/**
 * 'closed before' if the server has closed a connection that was kept from an earlier request, so the request has to
 * be sent again over another one.
 */
function exchange(url: URL, { body, signal, ...options }: HttpRequest): Promise<IncomingMessage | 'closed before'> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const headers = { ...options.headers, ...length }
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, { ...options, headers })
    let response: IncomingMessage | undefined
    const abort = () => {
      response?.destroy(signal?.reason)
      request.destroy()
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', abort, { once: true })
    request.once('response', (arrived) => {
      response = arrived
      // 101 without the headers of an upgrade arrives as a response.
      if (arrived.statusCode !== 101) return resolve(arrived)
      request.destroy()
      reject(new Error(switchesProtocols))
    })
    // Without a listener, Node closes the connection and emits neither a response nor an error.
    request.once('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new Error(switchesProtocols))
    })
    request.on('error', (error) => (isClosedBefore(request, error) ? resolve('closed before') : reject(error)))
    request.once('close', () => {
      signal?.removeEventListener('abort', abort)
      reject(new Error('the connection was closed without an answer'))
    })
    request.end(body)
  })
}

const switchesProtocols = 'it answered 101: other protocols are not spoken'

function isClosedBefore(request: ClientRequest, { code = '' }: NodeJS.ErrnoException): boolean {
  return request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(code)
}
