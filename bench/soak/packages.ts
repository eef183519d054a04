import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Api } from '../api.ts'
import { importPackage } from '../import-package.ts'

const names = ['editor', 'runtime', 'viewer']
export const packageCount = names.length
const payloadBytes = 500_000

/** Writes packages for all operating systems into the store and imports them. Returns their ids. */
export async function importPackages(api: Api, store: string): Promise<string[]> {
  return Promise.all(
    names.map(async (name) => {
      const folder = join(store, name)
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, 'muster-package.json'), JSON.stringify(manifestOf(name)))
      await writeFile(join(folder, 'setup.sh'), `# ${name}: simulated computers do not run this.\n`)
      await writeFile(join(folder, 'payload'), randomBytes(payloadBytes))
      return importPackage(api, name)
    }),
  )
}

function manifestOf(name: string): object {
  const runSetup = (step: string) => ({ argv: ['sh', 'setup.sh', step], timeLimitMinutes: 30 })
  return {
    name,
    version: '1.0',
    displayName: name,
    operatingSystems: ['Windows', 'Linux', 'macOS'],
    kind: 'software',
    author: 'IT department',
    commands: { install: runSetup('install'), update: runSetup('update'), uninstall: runSetup('uninstall') },
  }
}
