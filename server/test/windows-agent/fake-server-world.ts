import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { credential, FakeServer } from '../../../agent/test/fake-server.ts'
import type { GivenWork } from '../../../agent/test/given-work.ts'
import { seenByWine, type Wine } from '../../../agent/test/windows/wine.ts'
import { listProcesses } from './processes.ts'

let count = 0

/** Blocks until the test lets it continue, like a slow installer. It is part of the package. */
const slowInstaller = [
  '@echo off',
  'echo run>>%ROOT%\\runs',
  ':wait',
  'if exist %ROOT%\\go-on goto done',
  'ping -n 2 127.0.0.1 >nul',
  'goto wait',
  ':done',
  'echo installed>%ROOT%\\there',
].join('\r\n')

export const slowInstall = { shell: 'call slow-installer.cmd' }
export const slowFiles = { 'slow-installer.cmd': slowInstaller }
export const detectThere = { shell: 'if not exist %ROOT%\\there exit 1' }
export const quickInstall = { shell: 'echo run>>%ROOT%\\runs & echo installed>%ROOT%\\there' }

export type FakeServerWorld = Awaited<ReturnType<typeof openFakeServerWorld>>

/** A server that the test controls, and an agent on Windows that is enrolled with it. */
export async function openFakeServerWorld(wine: Wine, executable: string) {
  const name = `test-${++count}`
  const root = join(wine.drive, name)
  const state = join(root, 'state')
  const server = await new FakeServer().open()
  onTestFinished(() => server.close())
  await mkdir(state, { recursive: true })
  const identity = { server: server.url, enrolmentKey: 'k'.repeat(43), clientId: 7, credential, hasCertificates: false }
  await writeFile(join(state, 'identity.json'), JSON.stringify(identity))

  const start = (...args: string[]) => {
    const running = wine.start([seenByWine(executable), ...args, '--state', `C:\\${name}\\state`], {
      ROOT: `C:\\${name}`,
      MUSTER_AGENT_INVENTORY: 'off',
      MUSTER_AGENT_REBOOT_COMMAND: 'exit 0',
    })
    onTestFinished(() => running.kill())
    return running
  }
  const left = (file: string) => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined)

  return {
    server,
    /** Work on a package for Windows. */
    give: (given: GivenWork) => server.give({ ...given, package: { operatingSystems: ['Windows'], ...given.package } }),
    start,
    left,
    runOnce: () => start('run', '--once').ended,
    times: (file: string) => (left(file)?.split('\n').length ?? 1) - 1,
    letContinue: () => writeFile(join(root, 'go-on'), ''),
    journal: async () => (await readdir(join(state, 'journal'))).filter((file) => file.endsWith('.json')),
    /** The programs of this test that run, by their process ids. */
    running: (program: string) => listProcesses(wine.root, program, `C:\\${name}\0`),
  }
}
