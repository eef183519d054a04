import { get as getHttp } from 'node:http'
import { get as getHttps } from 'node:https'

// Asks the service in this container whether it can do its work. It reads the few settings that decide where the service
// listens by itself: loading the program of the service for each check would take ten times as long.
const { MUSTER_PORT, MUSTER_TLS_PORT, MUSTER_TLS_CERT, MUSTER_PLAIN_HTTP } = process.env

const isPlain = !MUSTER_TLS_CERT || MUSTER_PLAIN_HTTP === 'on'
const [get, port] = isPlain ? [getHttp, MUSTER_PORT || '5057'] : [getHttps, MUSTER_TLS_PORT || '5443']

// Whatever ends this check without an answer, the service is not healthy.
process.exitCode = 1

// The certificate is for the name under which clients reach the service. Here it is only used for this question.
const request = get({ host: '127.0.0.1', port, path: '/health/ready', rejectUnauthorized: false }, (response) => {
  let body = ''
  response.setEncoding('utf8').on('data', (chunk: string) => {
    body += chunk
  })
  response.on('end', () => {
    console.log(body)
    process.exit(response.statusCode === 200 ? 0 : 1)
  })
})
request.on('error', ({ message }) => console.log(message))
