import { files } from '../../../src/platform/windows/files.ts'
import { createFolder, permissionsOf } from '../../../src/platform/windows/win32/security.ts'
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
const administrators = 'D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)'

async function main(): Promise<void> {
  const agent = process.env.EXECUTABLE ?? ''
  await show('question', () => askInSession(1, 'Muster', 'Postpone?', 5))
  process.env.SECRET_OF_THE_SERVICE = 'secret'
  await show('process', () => inShell('if defined SECRET_OF_THE_SERVICE (exit 9) else (exit 7)', 30_000))
  await show('time limit', () => inShell('ping -n 30 127.0.0.1', 300))
  await show('presenting', () =>
    runAsUser(1, { program: agent, line: `"${agent}" is-presenting`, folder: 'C:\\windows', limitMs: 60_000 }),
  )
  await show('created', () => createFolder('C:\\protected', administrators))
  await show('permissions', () => permissionsOf('C:\\protected'))
  await show('own again', () => files.makePrivateFolder('C:\\protected'))
}

void main()
