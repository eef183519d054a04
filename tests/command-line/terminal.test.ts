import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { sequenceAll } from '../../server/test/events/read-log.ts'
import { openPackageWorld } from '../../server/test/packages/package-world.ts'
import { compileCache } from '../../server/test/world/compile-cache.ts'
import { bundledCommand } from '../world/bundled-command.ts'
import { commandsIn } from './muster-command.ts'

const world = await openPackageWorld()
const { db, given, store } = world
const { address, credentials, environment, settings } = await commandsIn(world)
const office = await given.group({ name: 'Office' })
const computer = await given.computer({ name: 'pc-with-a-name-that-is-long' })
await given.member(office, computer)

const program = `'${process.execPath}' '${await bundledCommand()}'`
const patient = { timeout: 120_000 }

type Ended = { code: number | null; screen: string }

/** Runs a line of the shell, in which muster is a process of its own. */
function inShell(line: string, env: Record<string, string> = {}, onOutput?: (screen: string) => string | undefined) {
  const variables = { PATH: process.env.PATH, HOME: settings, ...compileCache, ...environment, ...env }
  const child = spawn('bash', ['-c', line.replaceAll('muster ', `${program} `)], { env: variables, stdio: 'pipe' })
  let screen = ''
  const add = (part: Buffer) => {
    screen += part
    const typed = onOutput?.(screen)
    if (typed !== undefined) child.stdin.write(typed)
  }
  child.stdout.on('data', add)
  child.stderr.on('data', add)
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, screen })))
  return Object.assign(ended, { child })
}

/** The same on a terminal with this many columns. */
const onTerminal = (
  line: string,
  columns: number,
  env: Record<string, string> = {},
  onOutput?: (screen: string) => string | undefined,
) => inShell(`script -qfec "stty cols ${columns}; ${line}" /dev/null`, { TERM: 'xterm', ...env }, onOutput)

test('a process colours its output on a terminal, and neither in a pipe nor with NO_COLOR', patient, async () => {
  const coloured = await onTerminal('muster groups tree', 100)
  const refused = await onTerminal('muster groups tree', 100, { NO_COLOR: '1' })
  const piped = await inShell('muster groups tree | cat')

  expect(coloured.screen).toContain('Office  \x1b[2m1\x1b[22m')
  expect(refused.screen.replaceAll('\r', '')).toBe(piped.screen)
  expect(piped.screen).toContain('Office  1\n')
})

test('a process draws a bar on a terminal, and writes lines elsewhere', patient, async () => {
  await mkdir(join(store, 'nothing'))
  const drawn = await onTerminal('muster packages import nothing', 100)
  const piped = await inShell('muster packages import nothing')

  expect(drawn.screen).toContain(`\r\x1b[2K${'░'.repeat(30)}  0/100 (0 %)  Failed`)
  expect(piped.screen).toContain('0/100 (0 %)  Failed\n')
  expect(piped.screen).toContain('The import of nothing failed: ')
  expect(piped.screen).not.toContain('░')
  expect(piped.screen).not.toContain('\x1b')
  expect(piped.code).toBe(1)
})

test(
  'a table fits a narrow terminal and names the columns without room, and is complete in a pipe',
  patient,
  async () => {
    const narrow = await onTerminal('muster computers', 60)
    const piped = await inShell('muster computers | cat')

    const [head = '', row = '', note = ''] = stripVTControlCharacters(narrow.screen).replaceAll('\r', '').split('\n')
    expect(Math.max(head.length, row.length)).toBeLessThanOrEqual(60)
    expect(row).toContain('pc-with-a-name-that-is-long')
    expect(note).toMatch(/^No room for .*issues, groups: use a wider terminal, or -o csv\.$/)
    expect(piped.screen).toMatch(/^NAME .* GROUPS\npc-with-a-name-that-is-long .* Configuration\/Office\n$/)
  },
)

test('a secret that is typed is not shown', patient, async () => {
  const env = { MUSTER_CLIENT_ID: '', MUSTER_CLIENT_SECRET: '' }
  let isTyped = false
  const { code, screen } = await onTerminal(
    `muster login ${address} --client-id ${credentials.clientId}`,
    100,
    env,
    (seen) => {
      if (isTyped || !seen.includes('Secret of')) return undefined
      isTyped = true
      return `${credentials.clientSecret}\n`
    },
  )

  expect([code, screen]).toEqual([0, expect.stringContaining('Signed in to')])
  expect(screen).not.toContain(credentials.clientSecret)
})

test('a reader that has seen enough is not a failure', patient, async () => {
  const { screen } = await inShell('set -o pipefail; muster api --list | true; echo code $?')

  expect(screen).toBe('code 0\n')
})

test('an interrupt ends a command that follows events, in order', patient, async () => {
  const following = inShell('exec muster events --follow')
  let isSeen = false
  following.child.stdout.on('data', () => {
    isSeen = true
    following.child.kill('SIGINT')
  })
  while (!isSeen && following.child.exitCode === null) {
    await given.computer({})
    await sequenceAll(db)
    await new Promise((resolve) => setTimeout(resolve, 300))
  }

  expect((await following).code).toBe(0)
})

test('a terminal without a size shows all columns', patient, async () => {
  const { screen } = await onTerminal('muster computers', 0)

  expect(stripVTControlCharacters(screen)).toMatch(/^NAME .* GROUPS\r\n/)
})

test('a command ends with its own code if nobody reads its notes', patient, async () => {
  const { screen } = await inShell('exec 3>&1; { muster computer nobody 2>&1; echo code $? >&3; } | true')

  expect(screen).toBe('code 2\n')
})

test('an interrupt ends a command that waits for the service at once', patient, async () => {
  const silent = createServer(() => {})
  onTestFinished(() => void silent.close().closeAllConnections())
  const asked = once(silent, 'request')
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  const { port } = silent.address() as AddressInfo

  const waiting = inShell('exec muster computers', { MUSTER_URL: `http://127.0.0.1:${port}` })
  await asked
  waiting.child.kill('SIGINT')

  expect(await waiting).toEqual({ code: 1, screen: 'Interrupted.\n' })
})
