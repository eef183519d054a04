import type { GraphicalSession } from './graphical-sessions.ts'
import { isKeptAwake } from './inhibitors.ts'
import { runInSession } from './run-in-session.ts'

const limitMs = 3_000

/** Of GNOME: somebody has asked that the session does not become idle, as presentations and films do. */
const idleInhibited = '8'

/** Whether the person at a desktop must not be disturbed: a full-screen window, a presentation, or the wish for silence. */
export async function isBusy(session: GraphicalSession): Promise<boolean> {
  const answers = await Promise.all([
    hasFullScreenWindow(session),
    isInhibited(session),
    isKeptAwake(session.uid),
    isSilenced(session),
  ])
  return answers.includes(true)
}

/**
 * X11, and programs for it on Wayland. Windows of Wayland itself are known to the desktop alone, which answers one of the other
 * questions if a film or a presentation keeps the screen on.
 */
async function hasFullScreenWindow(session: GraphicalSession): Promise<boolean> {
  if (session.environment.DISPLAY === undefined) return false
  const name = '_NET_ACTIVE_WINDOW'
  const active = await runInSession(session, ['xprop', '-root', '-f', name, '32x', name], limitMs)
  const window = /= (0x[\da-f]{1,8})\b/.exec(active ?? '')?.[1]
  if (window === undefined || Number(window) === 0) return false
  const state = await runInSession(session, ['xprop', '-id', window, '_NET_WM_STATE'], limitMs)
  return /\b_NET_WM_STATE_FULLSCREEN\b/.test(state ?? '')
}

async function isInhibited(session: GraphicalSession): Promise<boolean> {
  const [service, path] = ['org.gnome.SessionManager', '/org/gnome/SessionManager']
  const call = ['gdbus', 'call', '--session', '--timeout', '2', '--dest', service, '--object-path', path]
  const answer = await runInSession(session, [...call, '--method', `${service}.IsInhibited`, idleInhibited], limitMs)
  return answer?.trim() === '(true,)'
}

/** "Do not disturb", as KDE and others report it. */
async function isSilenced(session: GraphicalSession): Promise<boolean> {
  const [service, path] = ['org.freedesktop.Notifications', '/org/freedesktop/Notifications']
  const call = ['gdbus', 'call', '--session', '--timeout', '2', '--dest', service, '--object-path', path]
  const property = ['--method', 'org.freedesktop.DBus.Properties.Get', service, 'Inhibited']
  return (await runInSession(session, [...call, ...property], limitMs))?.trim() === '(<true>,)'
}
