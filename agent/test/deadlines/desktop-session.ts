import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installDebianPackages } from '../../../tools/debian-packages.ts'
import { type OnEnd, until } from '../world.ts'

/** Not an id of a person, so agents of other tests do not find the session. */
export const uidOfDesktop = 61_234
const uid = uidOfDesktop

const tools = ['Xvfb', 'dbus-daemon', 'dunst', 'gdbus', 'notify-send', 'xprop', 'xwininfo']
const isThere = (name: string) => existsSync(join('/usr/bin', name))

/** Why no desktop can be opened on this machine; undefined if one can. Installs what is missing. */
export function findReasonAgainstDesktop(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can open the session of another user'
  return tools.every(isThere) && findNameWrapper() ? undefined : installDebianPackages()
}

/** Gives the user of the session a name without changing the users of this machine. */
function findNameWrapper(): string | undefined {
  const { stdout } = spawnSync('dpkg', ['-L', 'libnss-wrapper'], { encoding: 'utf8' })
  return /^\/.*\/libnss_wrapper\.so$/m.exec(stdout)?.[0]
}

/**
 * A session bus that starts nothing by itself. Otherwise the first question to the notification daemon could start another one, whose
 * output nobody reads, and which would outlive the test.
 */
export const toBusConfiguration = (
  path: string,
) => `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path=${path}</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`

export type Desktop = Awaited<ReturnType<typeof openDesktop>>

/**
 * The session of a person: a screen, a message bus and a notification daemon, which are real, with an id of their own.
 */
export async function openDesktop(language: string, onEnd: OnEnd) {
  const root = await mkdtemp(join(tmpdir(), 'muster-desktop-'))
  onEnd(() => rm(root, { recursive: true, force: true, maxRetries: 3 }))
  await chown(root, uid, uid)
  await chmod(root, 0o755)
  await writeFile(join(root, 'passwd'), `mia:x:${uid}:${uid}:Mia:${root}:/bin/sh\n`)
  await writeFile(join(root, 'group'), `mia:x:${uid}:\n`)
  const names = {
    LD_PRELOAD: findNameWrapper() ?? '',
    NSS_WRAPPER_PASSWD: join(root, 'passwd'),
    NSS_WRAPPER_GROUP: join(root, 'group'),
  }
  const environment: Record<string, string> = {
    HOME: root,
    LANG: language,
    PATH: '/usr/bin:/bin',
    XDG_RUNTIME_DIR: root,
    XDG_CONFIG_HOME: root,
    ...names,
  }

  function start(command: readonly string[], { folder = root } = {}): { child: ChildProcess; output(): string } {
    const [program = '', ...args] = command
    const child = spawn(program, args, {
      uid,
      gid: uid,
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
      })
    onEnd(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      // The screen removes its files in /tmp. A program that ignores this is one of a test.
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), 2_000)
      await ended
      clearTimeout(late)
    })
    return { child, output: () => output }
  }

  const screen = start([
    'Xvfb',
    '-displayfd',
    '1',
    '-nolisten',
    'tcp',
    '-nolisten',
    'unix',
    '-screen',
    '0',
    '640x480x24',
  ])
  environment.DISPLAY = `:${await until(() => /^(\d+)\n/m.exec(screen.output())?.[1], 'the screen')}`
  const bus = join(root, 'bus')
  await writeFile(join(root, 'bus.conf'), toBusConfiguration(bus))
  start(['dbus-daemon', '--nofork', `--config-file=${join(root, 'bus.conf')}`])
  await until(() => existsSync(bus), 'the bus')
  environment.DBUS_SESSION_BUS_ADDRESS = `unix:path=${bus}`
  await mkdir(join(root, 'dunst'))
  // What the person chooses in the menu of a notification: the line with this word.
  await writeFile(join(root, 'choose'), `#!/bin/sh\ngrep -m 1 -F "$(cat ${root}/choice)"\n`, { mode: 0o755 })
  await writeFile(join(root, 'dunst/dunstrc'), `[global]\ndmenu = ${root}/choose\n`)
  const daemon = start(['dunst', '-print'])

  /** Runs a program of the person to its end. */
  const run = (...command: string[]) =>
    spawnSync(command[0] ?? '', command.slice(1), { uid, gid: uid, cwd: root, env: environment, encoding: 'utf8' })

  await until(() => run('dunstctl', 'count').status === 0, 'the notification daemon')
  return {
    root,
    run,
    /** The variables with which a program finds the name of the person. */
    names,
    /** Starts a program of the person, which the test may end. */
    start,
    /** Everything that notifications have shown, as the daemon prints it. */
    shown: () => daemon.output(),
    /** Chooses the button with this label, in the first notification that has it. */
    async choose(label: string) {
      await writeFile(join(root, 'choice'), label)
      await until(() => daemon.output().includes(label), `a notification with ${label}`)
      run('dunstctl', 'context')
    },
    /** Makes a window of the size of the screen the active one, as window managers do. */
    showFullScreen(isShown: boolean) {
      const id = /Window id: (0x[\da-f]+)/.exec(run('xwininfo', '-root').stdout)?.[1] ?? '0x0'
      const state = isShown ? '_NET_WM_STATE_FULLSCREEN' : '_NET_WM_STATE_ABOVE'
      run('xprop', '-root', '-f', '_NET_ACTIVE_WINDOW', '32x', '-set', '_NET_ACTIVE_WINDOW', id)
      run('xprop', '-id', id, '-f', '_NET_WM_STATE', '32a', '-set', '_NET_WM_STATE', state)
    },
  }
}
