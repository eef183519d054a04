import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

// Runs as a separate process, see `loadByClients`. The argument is the path of a file with a `ClientsLoad`.

export type ClientsLoad = { url: string; seconds: number; clients: { headers: Record<string, string>; body: string }[] }

type Client = { setHeaders(headers: Record<string, string>): void; setBody(body: string): void }

const autocannon = createRequire(import.meta.url)('autocannon') as (options: object) => Promise<object>

const { url, seconds, clients } = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8')) as ClientsLoad
let next = 0
const result = await autocannon({
  url,
  method: 'POST',
  connections: clients.length,
  duration: seconds,
  setupClient(client: Client) {
    const one = clients[next++ % clients.length]
    client.setHeaders({ 'content-type': 'application/json', ...one?.headers })
    client.setBody(one?.body ?? '')
  },
})
process.stdout.write(JSON.stringify(result))
