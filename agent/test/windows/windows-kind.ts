import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { credential, FakeServer } from '../fake-server.ts'
import { processesWith, type TestProcess } from '../remaining-processes.ts'
import type { AgentKind, AgentWorld, Scripts } from '../shared/agent-kind.ts'
import { type OnEnd, until } from '../world.ts'
import type { Wine } from './wine.ts'

const patienceMs = 60_000
/** Many looks list all processes of this machine, which takes the time that Wine needs. */
const pauseMs = 50

/** Only batch files have loops with a condition. Between two looks it waits for a second. */
const waitScript = [
  '@echo off',
  'echo begun>>"%ROOT%\\begun"',
  ':wait',
  'if exist "%ROOT%\\go-on" exit /b 0',
  'ping -n 2 127.0.0.1 >nul',
  'goto wait',
].join('\r\n')

const scripts: Scripts = {
  sequence: (...lines) => lines.join(' & '),
  succeed: 'ver >nul',
  // A line that ends with a digit would name a handle.
  append: (line, file) => `echo ${line}>>"%ROOT%\\${file}"`,
  remove: (file) => `del "%ROOT%\\${file}"`,
  require: (file) => `if not exist "%ROOT%\\${file}" exit 1`,
  exit: (code) => `exit ${code}`,
  // With delayed expansion, because the agent refuses lines into which cmd would paste values of variables.
  print: (variable) => `cmd /d /v:on /c "echo !${variable}!"`,
  waiting: (before, after) => ({ shell: `${before} & call "%ROOT%\\wait.cmd" & ${after}` }),
  startService: 'start /b ping -n 30 127.0.0.1 >nul',
  isService: (process) => isProgram(process, 'ping', '30'),
}

/** Under Wine, the command line of a process may begin with the loader of Wine. */
export function isProgram({ words }: TestProcess, name: string, word?: string): boolean {
  const pattern = new RegExp(`(^|\\\\|/)${name}(\\.exe)?$`, 'i')
  return words.slice(0, 3).some((one) => pattern.test(one)) && (word === undefined || words.includes(word))
}

let worlds = 0

/** The agent for Windows: a program at a path of a Windows that Wine plays. */
export function windowsKind(wine: Wine, program: string): AgentKind {
  return {
    name: 'Windows',
    scripts,
    until: (look) => until(look, undefined, patienceMs, pauseMs),
    open: (onEnd) => openWindowsAgent(wine, program, onEnd),
  }
}

export type WindowsAgentWorld = AgentWorld & {
  /** Starts the agent with more variables. */
  startWith(variables: Record<string, string>, ...args: string[]): ReturnType<Wine['start']>
}

export async function openWindowsAgent(
  wine: Wine,
  program: string,
  onEnd: OnEnd = onTestFinished,
): Promise<WindowsAgentWorld> {
  // With a space, because paths on Windows often have one.
  const name = `test ${++worlds}`
  const root = join(wine.drive, name)
  const state = join(root, 'state')
  const server = await new FakeServer().open()
  onEnd(() => server.close())
  await mkdir(state, { recursive: true })
  const identity = { server: server.url, enrolmentKey: 'k'.repeat(43), clientId: 7, credential, hasCertificates: false }
  await writeFile(join(state, 'identity.json'), JSON.stringify(identity))
  await writeFile(join(root, 'wait.cmd'), waitScript)

  const startWith = (variables: Record<string, string>, ...args: string[]) => {
    const running = wine.start([program, ...args, '--state', `C:\\${name}\\state`], {
      ROOT: `C:\\${name}`,
      MUSTER_AGENT_INVENTORY: 'off',
      MUSTER_AGENT_REBOOT_COMMAND: 'echo %MUSTER_POWER_ACTION%>>"%ROOT%\\power"',
      ...variables,
    })
    onEnd(() => running.kill())
    return running
  }
  const start = (...args: string[]) => startWith({}, ...args)
  // The shell of Windows also prints the space before an `&`.
  const left = (file: string) =>
    existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8').replaceAll(/ *\r\n/g, '\n') : undefined

  return {
    server,
    state,
    give: (given) => server.give({ ...given, package: { operatingSystems: ['Windows'], ...given.package } }),
    start,
    startWith,
    agent: (...args) => start(...args).ended,
    runOnce: () => start('run', '--once').ended,
    pathOf: (file) => `C:\\${name}\\${file}`,
    write: (file, content = '') => writeFile(join(root, file), content),
    left,
    times: (file) => (left(file)?.split('\n').length ?? 1) - 1,
    journal: async () => (await readdir(join(state, 'journal'))).filter((file) => file.endsWith('.json')),
    // Programs under Wine have the variables of the process that has started the first of them.
    commands: async () => processesWith(`ROOT=C:\\${name}`).filter((one) => isProgram(one, '(cmd|ping)')),
  }
}
