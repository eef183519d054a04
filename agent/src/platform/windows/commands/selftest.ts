import { mkdtemp, rm } from 'node:fs/promises'
import { release, tmpdir, version } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../../expected-error.ts'
import type { Platform } from '../../platform.ts'
import { dataFolder } from '../paths.ts'
import { listSessions } from '../win32/sessions.ts'
import { ownAccount, ownerOf, permissionsOf } from '../win32/security.ts'

const maxShown = 300

/**
 * Asks every source of the agent and prints what it answered, for a person who can compare it with the computer. Changes
 * nothing. Sources that are absent on a computer, such as a battery, answer with nothing rather than fail.
 */
export async function selftest(platform: Platform): Promise<void> {
  let failures = 0
  for (const [name, ask] of Object.entries({ ...generalChecks(platform), ...inventoryChecks(platform) })) {
    const [word, answer] = await ask().then(
      (found) => ['ok', shorten(found)],
      (error: unknown) => ['FAILED', messageOf(error)],
    )
    if (word === 'FAILED') failures += 1
    console.log(`${name.padEnd(32)} ${word.padEnd(7)} ${answer}`)
  }
  console.log(failures === 0 ? 'Every source has answered.' : `${failures} sources have failed.`)
  if (failures > 0) process.exitCode = 1
}

function generalChecks(platform: Platform): Record<string, () => Promise<unknown>> {
  const { system, computer, users, patches, detection } = platform
  return {
    windows: async () => `${version()} ${release()}`,
    node: async () => process.versions.node,
    account: async () => ownAccount(),
    'state folder': async () => ({ owner: ownerOf(dataFolder()), permissions: permissionsOf(dataFolder()) }),
    'start of the system': async () => ({ id: system.bootId(), at: await system.bootTime() }),
    'restart required by': () => system.findRebootSource(),
    computer: async () => ({ ...(await computer.name()), uuid: await computer.firmwareUuid() }),
    'network interface': () => computer.mainInterface(),
    'operating system names': () => computer.systemNames(),
    'logged-on user': () => users.loggedOn(),
    sessions: async () => listSessions(),
    'command in a job object': () => runCommand(platform),
    'registry, 64 bits': async () => detection.registryValue?.({ ...currentVersion, view: '64' }),
    'registry, 32 bits': async () => detection.registryValue?.({ ...currentVersion, view: '32' }),
    'version of a file': async () => detection.fileVersion?.(join(process.env.SystemRoot ?? '', 'System32', 'msiexec.exe')),
    'missing patches': async () => (await patches.scan(new Set())) ?? `none: ${patches.unavailable}`,
  }
}

const currentVersion = {
  hive: 'HKLM',
  key: 'SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion',
  value: 'ProductName',
} as const

function inventoryChecks(platform: Platform): Record<string, () => Promise<unknown>> {
  const sections = Object.entries(platform.inventory())
  return Object.fromEntries(sections.map(([name, collect]) => [`inventory ${name}`, collect]))
}

async function runCommand({ processes }: Platform): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-selftest-'))
  let output = ''
  try {
    const started = await processes.start({
      shell: 'echo %COMPUTERNAME% & exit 7',
      folder,
      environment: process.env,
      onOutput: (chunk) => {
        output += chunk.toString()
      },
    })
    started.begin()
    const { exitCode } = await started.exited
    await started.finishOutput()
    if (exitCode !== 7) throw new Error(`the exit code is ${exitCode}, not 7`)
    return output.trim()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function shorten(found: unknown): string {
  const text = JSON.stringify(found ?? null)
  const items = (found as { items?: unknown[] } | undefined)?.items
  const count = Array.isArray(items) ? `${items.length} items: ` : ''
  return count + (text.length > maxShown ? `${text.slice(0, maxShown)}…` : text)
}
