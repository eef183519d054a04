import { access, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ExpectedError, messageOf } from '../../../expected-error.ts'
import type { SharedCommands } from '../../platform.ts'
import { writeEvent } from '../event-log.ts'
import { files, makeDataFolder } from '../files.ts'
import { dataFolder, paths } from '../paths.ts'
import { type ConfigurationValues, toConfiguration } from './configuration-text.ts'

const option = { type: 'string' } as const

/**
 * Writes the configuration file. The installer calls this with its properties, of which some may be empty.
 */
export async function configure(
  args: string[],
  agent: Pick<SharedCommands, 'isEnrolled' | 'loadConfiguration'>,
): Promise<void> {
  const options = { server: option, token: option, ca: option, 'trust-key': option }
  const { values } = parseArgs({ args, options, strict: true })
  await withEvent(async () => {
    agent.loadConfiguration()
    // An installation over an earlier one may have the same properties. They have done their work, and a token would stay.
    if (await agent.isEnrolled())
      return writeEvent('The computer is enrolled already: SERVER and TOKEN are not used.', 'ConfigurationUnused')
    await requireUsable(values)
    await makeDataFolder()
    await writeConfiguration(toConfiguration(values))
  })
}

/** The installer shows no output of the agent, so the reason for a failure is in the event log. */
export async function withEvent(run: () => Promise<void>): Promise<void> {
  await run().catch((error: unknown) => {
    writeEvent(`The agent was not installed: ${messageOf(error)}`, 'ConfigurationRefused')
    throw error
  })
}

async function requireUsable({ server, ca }: ConfigurationValues): Promise<void> {
  if (server && !(URL.canParse(server) && ['https:', 'http:'].includes(new URL(server).protocol)))
    throw new ExpectedError(`SERVER must be an address that begins with https://, not '${server}'.`)
  if (ca)
    await access(ca).catch((error: unknown) => {
      throw new ExpectedError(`The file that CA names cannot be read: ${messageOf(error)}`)
    })
}

/** The token has done its work, and others could use it. */
export async function removeToken(): Promise<void> {
  const text = await readFile(paths.configuration, 'utf8').catch(() => '')
  const withoutToken = text.replaceAll(/^MUSTER_AGENT_TOKEN=.*\n?/gm, '')
  if (withoutToken !== text) await writeConfiguration(withoutToken)
  delete process.env.MUSTER_AGENT_TOKEN
}

async function writeConfiguration(text: string): Promise<void> {
  const fresh = join(dataFolder(), 'agent.env.new')
  await writeFile(fresh, text, { flush: true })
  await files.replace(fresh, paths.configuration)
}
