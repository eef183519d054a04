import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repository } from '../../server/test/world/service-process.ts'

/** The places of docs/security.md, each with the files that start processes or write scripts there. */
const places: Record<string, string[]> = {
  'Environment of a command on Linux': ['agent/src/platform/linux/processes.ts'],
  'Environment of a command on Windows': ['agent/src/platform/windows/win32/create-process.ts'],
  'Line or batch file for cmd': ['agent/src/platform/windows/processes.ts'],
  'Property of an MSI file': [],
  'File of collections or patches': [],
  'Number or kind of a work item': ['agent/src/platform/windows/power.ts'],
  'Path of a package file': [],
  'Question or message to users': [
    'agent/src/platform/linux/run-in-session.ts',
    'agent/src/platform/linux/users.ts',
    'agent/src/platform/windows/win32/user-process.ts',
  ],
  'Self-service page': ['agent/src/platform/linux/user-channel.ts'],
  'Program to close at a deadline': [],
  'Setting `rebootCommand`': [],
  'Configuration of the agent': [],
  'Tool of the system': [
    'agent/src/platform/linux/detection.ts',
    'agent/src/platform/linux/inhibitors.ts',
    'agent/src/platform/linux/inventory/system-access.ts',
  ],
  'Package of a repository': ['agent/src/platform/linux/repositories/tools.ts'],
  'Version of the agent': [
    'agent/src/platform/linux/program.ts',
    'agent/src/platform/windows/launcher.ts',
    'agent/src/update/stage-update.ts',
  ],
  'Job of an existing agent': [],
  'iPXE script': [],
  'Installation document': [],
  'Install script and enrolment commands': [],
  'Program of the service': [
    'server/src/cluster/start-workers.ts',
    'server/src/database/embedded-postgres/orphaned-server.ts',
    'server/src/database/embedded-postgres/run-program.ts',
    'server/src/database/embedded-postgres/server-user.ts',
    'server/src/platform/systemd/service-manager.ts',
  ],
  'Transaction of the database, header of the agent': [],
  'Browser of the command line': ['cli/src/process-terminal.ts'],
  'Manifest proposed for an installer': [],
  'Inventory of Ansible': [],
  'Unit file and Windows service': [],
}

const startsProcess = /\b(spawn|spawnSync|execFile|execFileSync|execSync|fork)\(|promisify\(exec|\.CreateProcess/

function sourcesThatStartProcesses(): string[] {
  return ['agent/src', 'cli/src', 'client/src', 'server/src', 'simulator/src'].flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => `${folder}/${path}`)
      .filter((path) => startsProcess.test(readFileSync(join(repository, path), 'utf8'))),
  )
}

describe('the list of places where values meet programs', () => {
  test('is the table in the page about security', () => {
    const page = readFileSync(join(repository, 'docs/security.md'), 'utf8')
    const section = page.split('## Values never become commands')[1]?.split('\n## ')[0] ?? ''
    const rows = [...section.matchAll(/^\| (.+?) +\|/gm)].map(([, place]) => place)

    expect(rows.slice(2)).toEqual(Object.keys(places))
  })

  test('has every file that starts a process', () => {
    expect(sourcesThatStartProcesses().sort()).toEqual(Object.values(places).flat().sort())
  })
})
