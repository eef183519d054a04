import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'

// Sends each file of a folder to a URL once, with `level` concurrent requests. Fails on any status other than 200.
const [url = '', folder = '', count = '0', level = '1'] = process.argv.slice(2)
const bodies = await Promise.all(Array.from({ length: Number(count) }, (_, at) => readFile(join(folder, String(at)))))
const agent = new Agent({ keepAlive: true, maxSockets: Number(level) })

function send(body: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-compress-zlib', 'content-length': body.length }
    const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
      answer.resume()
      answer.once('end', () =>
        answer.statusCode === 200 ? resolve() : reject(new Error(`The request failed with ${answer.statusCode}.`)),
      )
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

let next = 0
async function sendRemaining(): Promise<void> {
  for (let body = bodies[next++]; body; body = bodies[next++]) await send(body)
}
await Promise.all(Array.from({ length: Number(level) }, sendRemaining))
agent.destroy()
