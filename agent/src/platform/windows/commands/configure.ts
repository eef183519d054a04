import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { files } from '../files.ts'
import { dataFolder, paths } from '../paths.ts'

const option = { type: 'string' } as const
const names = { server: 'SERVER', token: 'TOKEN', ca: 'CA', 'trust-key': 'TRUST_KEY' } as const

/** Writes the configuration file. The installer calls this with its properties, of which some may be empty. */
export async function configure(args: string[]): Promise<void> {
  const options = { server: option, token: option, ca: option, 'trust-key': option }
  const { values } = parseArgs({ args, options, strict: true })
  await files.makePrivateFolder(dataFolder())
  const lines = Object.entries(names).flatMap(([name, variable]) => {
    const value = values[name as keyof typeof names]
    return value ? [`MUSTER_AGENT_${variable}='${value.replaceAll(/['\r\n]/g, '')}'`] : []
  })
  await writeConfiguration(`${lines.join('\n')}\n`)
}

/** The token has done its work, and others could use it. */
export async function removeToken(): Promise<void> {
  const text = await readFile(paths.configuration, 'utf8').catch(() => undefined)
  if (text !== undefined) await writeConfiguration(text.replaceAll(/^MUSTER_AGENT_TOKEN=.*\n?/gm, ''))
  delete process.env.MUSTER_AGENT_TOKEN
}

async function writeConfiguration(text: string): Promise<void> {
  const fresh = join(dataFolder(), 'agent.env.new')
  await writeFile(fresh, text, { flush: true })
  await files.replace(fresh, paths.configuration)
}
