import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { commandGroups, commands } from '../../cli/src/commands/index.ts'
import { openWorld } from '../../server/test/world/open-world.ts'
import { repository } from '../../server/test/world/service-process.ts'
import { bundledCommand } from '../world/bundled-command.ts'
import { commandsIn } from './muster-command.ts'

const { address, credentials, muster, musterOn } = await commandsIn(await openWorld())
const run = promisify(execFile)

test.each(commands.map(({ name }) => name))(
  'the help of %s shows examples, and each begins with muster',
  async (name) => {
    const { code, out } = await muster(...name.split(' '), '--help')

    expect(code).toBe(0)
    expect(out).toContain(`Usage: muster ${name}`)
    expect(out).toMatch(/Examples:\n {2}(\w+=\$\()?muster /)
  },
)

test.each(Object.keys(commandGroups))('the help of %s shows an example of each of its commands', async (name) => {
  const { out } = await muster(...name.split(' '), '--help')

  for (const one of commands.filter((command) => command.name.startsWith(`${name} `)))
    expect(out).toContain(one.examples[0]?.[0])
})

test('the help lists all commands, and no argument is wrong use', async () => {
  const { out } = await muster('--help')
  const nothing = await muster()

  for (const name of new Set(commands.map((command) => command.name.split(' ')[0]))) expect(out).toContain(`  ${name} `)
  expect(nothing.code).toBe(2)
})

test('as a process, from its source or as one file, it writes results to the standard output and ends with the code', async () => {
  const env = {
    ...process.env,
    MUSTER_URL: address,
    MUSTER_CLIENT_ID: credentials.clientId,
    MUSTER_CLIENT_SECRET: credentials.clientSecret,
  }
  const main = join(repository, 'cli/src/main.ts')
  const oneFile = await bundledCommand()

  const { stdout, stderr } = await run(process.execPath, [main, 'computers', '-o', 'json'], { env })
  const failure = await run(process.execPath, [oneFile, 'computer', 'nobody'], { env }).catch((error: unknown) => error)

  expect([stdout, stderr]).toEqual(['[]\n', ''])
  expect(failure).toMatchObject({ code: 2, stderr: 'No computer is named "nobody".\n' })
})

test('a service that cannot be reached is a failure that names its address', async () => {
  const environment = { MUSTER_URL: 'http://127.0.0.1:9', MUSTER_CLIENT_ID: 'a', MUSTER_CLIENT_SECRET: 'b' }

  const { code, err } = await musterOn({ environment }, 'status')

  expect(code).toBe(1)
  expect(err).toContain('Cannot reach http://127.0.0.1:9')
})
