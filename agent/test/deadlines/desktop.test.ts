import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { run } from '../../src/commands/run.ts'
import { closePrograms } from '../../src/deadlines/close-programs.ts'
import { noInventory } from '../../src/inventory/source.ts'
import { listGraphicalSessions } from '../../src/platform/linux/graphical-sessions.ts'
import { linux } from '../../src/platform/linux/index.ts'
import { isKeptAwake } from '../../src/platform/linux/inhibitors.ts'
import { isPerson, programsOf } from '../../src/platform/linux/user-programs.ts'
import { usersOver } from '../../src/platform/linux/users.ts'
import type { Platform } from '../../src/platform/platform.ts'
import { stateFolder } from '../../src/state/state-folder.ts'
import { type OnEnd, openWorld, until } from '../world.ts'
import { deadlineAgent, inMinutes } from './deadline-agent.ts'
import {
  type Desktop,
  findReasonAgainstDesktop,
  openDesktop,
  toBusConfiguration,
  uidOfDesktop,
} from './desktop-session.ts'

const reason = findReasonAgainstDesktop()
if (reason) console.warn(`Desktops are not tested: ${reason}`)

const isMia = (uid: number) => uid === uidOfDesktop
const withoutSystemd = '/nonexistent'
const sessions = () => listGraphicalSessions({ systemd: withoutSystemd, isPerson: isMia })

/** The agent of this computer, which finds the desktop of the test and no other. */
function platformOf(): Platform {
  return { ...linux, users: usersOver(sessions), userPrograms: programsOf(isMia) }
}

/** A desktop whose person reads this language, with an agent that is enrolled with a server. */
async function open(language = 'de_DE.UTF-8') {
  const desktop = await openDesktop(language, onTestFinished as OnEnd)
  const { server, state } = await openWorld()
  const sources = { inventory: noInventory, patches: linux.patches }
  const runOnce = () =>
    run(stateFolder(platformOf(), state), { once: true, preOs: false, rebootCommand: 'true' }, sources)
  return { desktop, server, runOnce }
}

/** A program of this name that the person runs. */
async function openProgram({ root, start }: Desktop, name: string, ignoresTerm = false) {
  const folder = join(root, 'bin')
  await mkdir(folder, { recursive: true })
  await copyFile('/bin/sh', join(folder, name))
  await chmod(join(folder, name), 0o755)
  // It has its name only when it ignores the signal already.
  const begin = `${ignoresTerm ? "trap '' TERM; " : ''}exec "$0" -c 'while :; do sleep 0.05; done'`
  const { child } = start(['/bin/sh', '-c', begin, join(folder, name)])
  await until(async () => (await programsOf(isMia).list([name])).length > 0, `the program ${name}`)
  return { isOpen: () => child.exitCode === null && child.signalCode === null, child }
}

const deadline = { deadlineUtc: inMinutes(120), quietHours: null, closePrograms: [], noticeMinutes: 15 }
const work = {
  commands: { install: { argv: ['true'] } },
  postponable: { remaining: 2, untilUtc: deadline.deadlineUtc },
  userDeadline: deadline,
}

describe.skipIf(reason)('on a desktop', () => {
  test('the person is asked in their language, and a click on Later postpones the work', async () => {
    const { desktop, server, runOnce } = await open()
    const workId = server.give(work)

    const finished = runOnce()
    await desktop.choose('Später')
    await finished

    expect(desktop.shown()).toContain('Muster möchte jetzt greeting 1.2.0 installieren.')
    expect(server.postponements).toMatchObject([{ workId, workChoices: [{ choice: 'Later' }] }])
    expect(server.resultOf(workId)).toBeUndefined()
  })

  test('a click on Now begins the work, and its result says so', async () => {
    const { desktop, server, runOnce } = await open('en_GB.UTF-8')
    const workId = server.give(work)

    const finished = runOnce()
    await desktop.choose('Now')
    await finished

    expect(desktop.shown()).toContain('Muster is about to install greeting 1.2.0.')
    expect(server.resultOf(workId)).toMatchObject({ status: 'Success', workChoices: [{ choice: 'Now' }] })
  })

  test('a restart counts down on the desktop, and a click on Later keeps the computer running', async () => {
    const { desktop, server, runOnce } = await open()
    const restart = { action: 'Reboot' as const, timeoutMinutes: 5, reminderMinutes: 0 }
    const { postponable, userDeadline } = work
    const workId = server.give({ kind: 'Power', power: restart, postponable, userDeadline })

    const finished = runOnce()
    await desktop.choose('Später')
    await finished

    expect(desktop.shown()).toContain('Dieser Computer wird in 15 Minuten neu gestartet.')
    expect(server.postponements).toMatchObject([{ workId, workChoices: [{ choice: 'Later' }] }])
    expect(server.resultOf(workId)).toBeUndefined()
  })

  test('names of packages are shown as they are, whatever a desktop would make of them', async () => {
    const { desktop, server, runOnce } = await open('en_GB.UTF-8')
    server.give({ ...work, package: { name: '<a href="http://x">$(id)</a>' } })

    const finished = runOnce()
    await desktop.choose('Now')
    await finished

    expect(desktop.shown()).toContain('&lt;a href="http://x"&gt;$(id)&lt;/a&gt;')
  })

  test('a full-screen window is a presentation, and while it lasts the agent gets no work', async () => {
    const { desktop, server, runOnce } = await open()
    desktop.showFullScreen(true)
    expect(await platformOf().users.isPresenting()).toBe(true)
    desktop.showFullScreen(false)
    expect(await platformOf().users.isPresenting()).toBe(false)

    desktop.showFullScreen(true)
    server.give(work)
    await runOnce()

    expect(server.contacts[0]?.suspension).toMatchObject({ mode: 'PresentationMode' })
    expect(server.results).toEqual([])
  })

  test('no program is closed before the deadline: the work waits, and the person learns which one to close', async () => {
    const { desktop, server, runOnce } = await open()
    const program = await openProgram(desktop, 'schreiber')
    const workId = server.give({ ...work, userDeadline: { ...deadline, closePrograms: ['schreiber'] } })

    await runOnce()

    expect(server.postponements).toMatchObject([
      { workId, reason: 'ProgramsOpen', workChoices: [{ choice: 'ProgramsOpen', programs: ['schreiber'] }] },
    ])
    await until(() => desktop.shown().includes('Bitte schließen Sie schreiber.'), 'the notification')
    expect(program.isOpen()).toBe(true)
  })

  test('programs end when they are asked to, and otherwise after the grace time', async () => {
    const { desktop } = await open()
    const [willing, stubborn] = [await openProgram(desktop, 'willing'), await openProgram(desktop, 'stubborn', true)]
    const { agent } = await deadlineAgent({ userPrograms: programsOf(isMia) })

    await closePrograms(agent, ['willing', 'stubborn'], 500)
    await until(() => !willing.isOpen() && !stubborn.isOpen(), 'the end of both')

    expect([willing.child.signalCode, stubborn.child.signalCode]).toEqual(['SIGTERM', 'SIGKILL'])
  })

  test('a program of the system with the same name is not closed', async () => {
    const { desktop } = await open()
    const program = await openProgram(desktop, 'editor')
    // The session of the test does not belong to a person.
    const { agent } = await deadlineAgent({ userPrograms: linux.userPrograms })

    await closePrograms(agent, ['editor'], 500)

    expect(program.isOpen()).toBe(true)
  })
})

test.runIf(process.getuid?.() === 0)('people are those to whom distributions give ids', () => {
  expect([0, 999, 1_000, 60_000, uidOfDesktop, 65_534].filter(isPerson)).toEqual([1_000, 60_000])
})

test.each([
  ['a film', 'sleep:idle', 'block', uidOfDesktop, true],
  ['a program of somebody else', 'idle', 'block', 1_000, false],
  ['a short delay', 'idle', 'delay', uidOfDesktop, false],
  ['a closed lid', 'handle-lid-switch:sleep', 'block', uidOfDesktop, false],
])(
  'what logind says about %s decides whether the person is presenting, including on Wayland',
  async (who, what, mode, uid, isBusy) => {
    const inhibitors = [
      ['shutdown', 'Updates', 'Installs updates', 'block', uidOfDesktop, 1],
      [what, who, '', mode, uid, 2],
    ]

    expect(await isKeptAwake(uidOfDesktop, async () => JSON.stringify({ type: 'a(ssssuu)', data: [inhibitors] }))).toBe(
      isBusy,
    )
  },
)

test.each([
  [{ LANG: 'de_DE.UTF-8' }, 'de'],
  [{ LANG: 'en_GB.UTF-8', LC_MESSAGES: 'de_AT.UTF-8' }, 'de'],
  [{ LANG: 'en_US.UTF-8', LANGUAGE: 'de:en' }, 'de'],
  [{ LANG: 'de_DE.UTF-8', LANGUAGE: 'en_GB:en' }, 'en'],
  [{ LANG: 'C.UTF-8', LANGUAGE: 'de' }, 'en'],
])('people whose session has %j read messages in the language %s', async (environment, language) => {
  const users = usersOver(async () => [{ uid: uidOfDesktop, gid: uidOfDesktop, environment }])

  expect(await users.language()).toBe(language)
})

const logind = '/lib/systemd/systemd-logind'

test.runIf(process.getuid?.() === 0 && existsSync(logind))(
  'the real logind says who keeps the computer awake',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-logind-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const bus = `unix:path=${folder}/bus`
    await writeFile(join(folder, 'bus.conf'), toBusConfiguration(`${folder}/bus`))
    const inOwnRun = `mount -t tmpfs none /run && mkdir -p /run/systemd/system && exec ${logind}`
    begin('dbus-daemon', '--nofork', `--config-file=${folder}/bus.conf`)
    await until(() => existsSync(join(folder, 'bus')), 'the bus')
    vi.stubEnv('DBUS_SYSTEM_BUS_ADDRESS', bus)
    onTestFinished(() => void vi.unstubAllEnvs())
    begin('unshare', '--mount', 'sh', '-c', inOwnRun)

    // Without polkit, only root may ask for it.
    const isAwake = () => isKeptAwake(0)
    await until(() => spawnSync('busctl', ['--system', 'status', 'org.freedesktop.login1']).status === 0, 'logind')
    expect(await isAwake()).toBe(false)
    const endFilm = begin('systemd-inhibit', '--what=idle', '--mode=block', 'sleep', '60')
    await until(isAwake, 'the film')
    await endFilm()
    await until(async () => !(await isAwake()), 'the end of the film')
  },
)

/** Starts a program of the system, which ends with the test, as does what it has started. Returns how to end it. */
function begin(program: string, ...args: string[]): () => Promise<void> {
  const child = spawn(program, args, { stdio: 'ignore', detached: true })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null && child.pid) process.kill(-child.pid, 'SIGKILL')
    await ended
  }
  onTestFinished(end)
  return end
}

test.each(['', 'null', '{}', '{"data":7}', '{"data":[7]}', '{"data":[[7,null]]}', 'Failed to connect'])(
  'nobody is presenting if logind answers %j',
  async (answer) => {
    expect(await isKeptAwake(uidOfDesktop, async () => answer)).toBe(false)
  },
)

test('with logind, only users whose session is at a screen have a desktop', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-logind-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'system'))
  await mkdir(join(folder, 'sessions'))
  const { desktop } = reason ? { desktop: undefined } : await open()
  const list = () => listGraphicalSessions({ systemd: folder, isPerson: isMia })
  const write = (type: string, active: number) =>
    writeFile(join(folder, 'sessions/2'), `UID=${uidOfDesktop}\nTYPE=${type}\nACTIVE=${active}\nCLASS=user\n`)

  expect(await list()).toEqual([])
  await write('tty', 1)
  expect(await list()).toEqual([])
  await write('wayland', 0)
  expect(await list()).toEqual([])
  await write('x11', 1)
  expect(await list()).toHaveLength(desktop ? 1 : 0)
})
