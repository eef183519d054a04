import { execFileSync } from 'node:child_process'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfiguration } from '../../../src/platform/configuration.ts'
import { publicOriginOf } from '../../../src/platform/http/public-origin.ts'

const source = join(import.meta.dirname, '../../../src')

function requestWith(host: string) {
  return { raw: new IncomingMessage(new Socket()), headers: { host }, protocol: 'http' as const, host }
}

test('addresses that are handed out are built in one place', () => {
  const files = execFileSync('git', ['grep', '-lE', '(protocol|scheme)}://', '--', '.'], {
    cwd: source,
    encoding: 'utf8',
  })

  expect(files.trim().split('\n')).toEqual([
    // Compares the origin of a page with that of the request, and hands out nothing.
    'platform/authentication/cross-site-requests.ts',
    'platform/http/listeners.ts',
    'platform/http/public-origin.ts',
  ])
})

test.each(['evil.example.org/path', 'a b', 'user@evil.example.org', 'x"', ''])(
  'a Host header that is no host is refused: %j',
  (host) => {
    expect(() => publicOriginOf(readConfiguration({}), requestWith(host))).toThrow()
  },
)

test('without a public address, the one that the client used is handed out', () => {
  expect(publicOriginOf(readConfiguration({}), requestWith('muster.example.org:5057'))).toBe(
    'http://muster.example.org:5057',
  )
})
