import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Automation, type AutomationObject } from '../../../src/platform/windows/com/automation.ts'
import { using } from '../../../src/platform/windows/com/members.ts'
import { writeEvent } from '../../../src/platform/windows/event-log.ts'
import { files } from '../../../src/platform/windows/files.ts'
import { kernel32 } from '../../../src/platform/windows/win32/kernel.ts'
import { createFolder, permissionsOf, protect } from '../../../src/platform/windows/win32/security.ts'
import { askInSession } from '../../../src/platform/windows/win32/sessions.ts'
import { runAsUser } from '../../../src/platform/windows/win32/user-process.ts'

/** Runs under Wine. Prints what each call has returned. */
async function show(name: string, call: () => unknown): Promise<void> {
  const outcome = await Promise.resolve()
    .then(call)
    .then(
      (value) => ({ value }),
      (error: unknown) => ({ error: String(error) }),
    )
  console.log(`${name} ${JSON.stringify(outcome)}`)
}

const cmd = 'C:\\windows\\system32\\cmd.exe'
const inShell = (line: string, limitMs: number) =>
  runAsUser(1, { program: cmd, line: `"${cmd}" /d /c ${line}`, folder: 'C:\\windows', limitMs })
const everybody = 'D:P(A;OICI;FA;;;WD)'
const administrators = 'D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)'

/** The permissions of a folder that is created, and of one that was open to everybody. */
async function showPermissions(): Promise<void> {
  const afterPrivate = async (path: string) => {
    await files.makePrivateFolder(path)
    return permissionsOf(path)
  }
  await show('created', () => createFolder('C:\\created', administrators))
  await show('created again', () => createFolder('C:\\created', administrators))
  await show('permissions', () => permissionsOf('C:\\created'))
  await show('private', () => afterPrivate('C:\\private'))
  createFolder('C:\\open', administrators)
  protect('C:\\open', everybody)
  await show('open', () => permissionsOf('C:\\open'))
  await show('open no more', () => afterPrivate('C:\\open'))
}

/** Another program has the file open, and lets nobody replace it for as long. */
async function replaceFileInUse(): Promise<string> {
  const [path, fresh] = ['C:\\in use', 'C:\\in use.new']
  writeFileSync(path, 'old')
  writeFileSync(fresh, 'new')
  const [read, shareRead, openExisting] = [0x8000_0000, 1, 3]
  const handle = kernel32.CreateFileW(path, read, shareRead, null, openExisting, 0, 0)
  const replaced = files.replace(fresh, path)
  await sleep(300)
  const before = readFileSync(path, 'utf8')
  kernel32.CloseHandle(handle)
  await replaced
  return `${before}, ${readFileSync(path, 'utf8')}`
}

/** Objects of Windows that are used as those of the Windows Update Agent are, which Wine does not have. */
async function showAutomation(): Promise<void> {
  const list = Automation.create('Scripting.Dictionary')
  await show('assigned', async () => {
    await list.set('CompareMode', 1)
    return list.get('CompareMode')
  })
  await show('called', async () => {
    await list.call('Add', 'größer', 5)
    await list.call('Add', 'is missing', true)
    return [await list.get('Count'), await list.get('Item', 'größer'), await list.call('Items')]
  })
  await show('refused', () => list.call('Add', 'is missing', 1))
  await show('without such a member', () => list.get('Total'))
  const system = Automation.create('Scripting.FileSystemObject')
  const folder = (path: string) => system.call('GetFolder', path) as Promise<AutomationObject>
  await show('returned object', () => using(folder('C:\\windows'), (one) => one.get('Name')))
  await show('passed object', () =>
    using(folder('C:\\windows'), async (one) => {
      await list.call('Add', 'folder', one.pointer)
      return using(list.get('Item', 'folder'), (same) => same.get('Name'))
    }),
  )
  list.release()
  await show('released', () => list.get('Count'))
  system.release()
}

async function main(): Promise<void> {
  const agent = process.env.EXECUTABLE ?? ''
  await show('question', () => askInSession(1, 'Muster', 'Postpone?', 5))
  process.env.SECRET_OF_THE_SERVICE = 'secret'
  await show('process', () => inShell('if defined SECRET_OF_THE_SERVICE (exit 9) else (exit 7)', 30_000))
  await show('time limit', () => inShell('ping -n 30 127.0.0.1', 300))
  await show('presenting', () =>
    runAsUser(1, { program: agent, line: `"${agent}" is-presenting`, folder: 'C:\\windows', limitMs: 60_000 }),
  )
  await showPermissions()
  await showAutomation()
  await show('replaced', replaceFileInUse)
  writeEvent('A work item has failed.', 'WorkFailed')
  writeEvent('The agent was not installed.', 'ConfigurationRefused')
}

void main()
