import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { peerKey, watchDeadPeers } from '../../../src/platform/http/dead-peers.ts'

// Runs in a network namespace of its own, in which it drops all packets. Prints what is known about a peer before and after.

execFileSync('ip', ['link', 'set', 'lo', 'up'])
const answers: ServerResponse[] = []
const server = createServer((_, response) => {
  answers.push(response)
  response.write('\n')
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
await once(client, 'data')
const listDeadPeers = watchDeadPeers()
const key = peerKey('127.0.0.1', client.localPort ?? 0)
const before = (await listDeadPeers()).has(key)
execFileSync('ip', ['link', 'set', 'lo', 'down'])
answers[0]?.write('\n')
const writtenAt = performance.now()
let isFound = false
while (!isFound && performance.now() - writtenAt < 40_000) {
  await sleep(500)
  isFound = (await listDeadPeers()).has(key)
}
console.log(JSON.stringify({ before, isFound, secondsAfterWrite: (performance.now() - writtenAt) / 1_000 }))
process.exit()
