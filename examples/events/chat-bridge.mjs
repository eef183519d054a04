// Receives events of Muster by webhook and posts one line for each to the incoming webhook of a chat.
// Usage: SECRET=whsec_… CHAT_URL=https://chat.example.org/hooks/… node chat-bridge.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const { SECRET = '', CHAT_URL = '', PORT = '8090' } = process.env
const key = Buffer.from(SECRET.replace('whsec_', ''), 'base64')
const maxAgeSeconds = 300

/** Whether the message is from Muster: one of its signatures is right, and it is not an old message sent again. */
function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers
  const expected = Buffer.from(`v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) < maxAgeSeconds
  const isSigned = signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  return isRecent && isSigned
}

/** What the chat shows. */
function describe({ type, data }) {
  if (type === 'muster.deployment.failed')
    return `${data.packageName} failed on ${data.computerName}: ${data.error ?? 'no reason given'}`
  return `${type}: ${JSON.stringify(data)}`
}

createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString('utf8')
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end()
  const posted = await fetch(CHAT_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: describe(JSON.parse(body)) }),
  }).catch(() => undefined)
  // Muster sends the event again if the chat did not take it.
  response.writeHead(posted?.ok ? 204 : 502).end()
}).listen(Number(PORT), '127.0.0.1', () => console.log(`Listening on port ${PORT}`))
