import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isPerson } from './user-programs.ts'

/** The desktop of a person who uses this computer now. */
export type GraphicalSession = {
  uid: number
  gid: number
  /** What programs need to reach the desktop. Comes from processes of that user, so only that user's programs may get it. */
  environment: Record<string, string>
}

const systemdFolder = '/run/systemd'

/** Everything else that the processes of a user have set stays with them. */
const passedVariables = [
  'DBUS_SESSION_BUS_ADDRESS',
  'DISPLAY',
  'LANG',
  'LANGUAGE',
  'LC_ALL',
  'LC_MESSAGES',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
]
const maxValueLength = 1_000

export type SessionOptions = { systemd?: string; isPerson?: (uid: number) => boolean }

/** The desktops at the screens of this computer, one for each person. */
export async function listGraphicalSessions({
  systemd = systemdFolder,
  isPerson: isListed = isPerson,
}: SessionOptions = {}): Promise<GraphicalSession[]> {
  const active = await findActiveUsers(systemd)
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(pids.map((pid) => readSession(pid, isListed)))
  const best = new Map<number, GraphicalSession>()
  for (const session of found) {
    if (!session || (active && !active.has(session.uid))) continue
    const known = best.get(session.uid)
    if (!known || sizeOf(session) > sizeOf(known)) best.set(session.uid, session)
  }
  return [...best.values()].sort((one, other) => one.uid - other.uid)
}

const sizeOf = ({ environment }: GraphicalSession) => Object.keys(environment).length

/**
 * The users whose desktop is at a screen, as logind knows them; undefined without logind. A user who is not there cannot claim it
 * with the variables of a process.
 */
async function findActiveUsers(folder: string): Promise<Set<number> | undefined> {
  // The sign that systemd has started this system; the other folders may exist without it.
  if (!(await stat(join(folder, 'system')).catch(() => undefined))) return undefined
  const sessions = join(folder, 'sessions')
  const names = await readdir(sessions).catch(() => [])
  const users = new Set<number>()
  for (const name of names) {
    const text = await readFile(join(sessions, name), 'utf8').catch(() => '')
    const read = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1]
    const isGraphical = ['x11', 'wayland', 'mir'].includes(read('TYPE') ?? '')
    if (isGraphical && read('ACTIVE') === '1' && read('CLASS') === 'user') users.add(Number(read('UID')))
  }
  return users
}

/** The session to which a process belongs, if that has a desktop and a message bus. */
async function readSession(pid: string, isListed: (uid: number) => boolean): Promise<GraphicalSession | undefined> {
  const owner = await stat(`/proc/${pid}`).catch(() => undefined)
  if (!owner || !isListed(owner.uid)) return undefined
  const block = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
  const variables = new Map(
    block
      .split('\0')
      .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)] as const),
  )
  const hasScreen = variables.has('DISPLAY') || variables.has('WAYLAND_DISPLAY')
  if (!hasScreen || !variables.has('DBUS_SESSION_BUS_ADDRESS')) return undefined
  const passed = passedVariables.flatMap((name) => {
    const value = variables.get(name)
    return value === undefined || value === '' || value.length > maxValueLength ? [] : [[name, value] as const]
  })
  return { uid: owner.uid, gid: owner.gid, environment: Object.fromEntries(passed) }
}
