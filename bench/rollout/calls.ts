import { Agent, request } from 'node:http'

export type Answer<Body> = { status: number; body: Body }

/** Sends JSON over a few connections that stay open. It costs less than `fetch`, because the load shares the machine. */
export function openCalls(address: string, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const { hostname, port } = new URL(address)

  /** A status of 0 means that there was no answer. */
  function post<Body>(path: string, credential: string, content: object): Promise<Answer<Body>> {
    const payload = JSON.stringify(content)
    return new Promise((resolve) => {
      const headers = {
        authorization: `Bearer ${credential}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(payload),
      }
      const call = request({ agent, hostname, port, path, method: 'POST', headers }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          resolve({ status: answer.statusCode ?? 0, body: (text ? JSON.parse(text) : {}) as Body })
        })
        answer.on('error', () => resolve({ status: 0, body: {} as Body }))
      })
      call.on('error', () => resolve({ status: 0, body: {} as Body }))
      call.end(payload)
    })
  }

  return { post, close: () => agent.destroy() }
}
