import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const limitMs = 3_000
const path = '/org/freedesktop/login1'
const call = ['call', 'org.freedesktop.login1', path, 'org.freedesktop.login1.Manager', 'ListInhibitors']

/** Asks logind with the tool that comes with it. Empty if there is no logind. */
async function askLogind(): Promise<string> {
  const asked = promisify(execFile)('busctl', ['--system', '--json=short', '--timeout=2', ...call], {
    timeout: limitMs,
  })
  return asked.then(
    ({ stdout }) => stdout,
    () => '',
  )
}

/**
 * Whether a program of this user keeps the computer from becoming idle, as films and presentations do. Programs can say this to logind
 * on every desktop, including those on Wayland, and GNOME passes on what programs say to it.
 */
export async function isKeptAwake(uid: number, ask = askLogind): Promise<boolean> {
  const inhibitors = parseInhibitors(await ask())
  return inhibitors.some(
    ([what, , , mode, owner]) => owner === uid && mode === 'block' && String(what).split(':').includes('idle'),
  )
}

/** Each is what it prevents, who asks for that, why, how strictly, and the ids of the user and of the process. */
function parseInhibitors(answer: string): unknown[][] {
  try {
    const { data } = JSON.parse(answer) as { data?: unknown }
    const listed: unknown = Array.isArray(data) ? data[0] : []
    return Array.isArray(listed) ? listed.filter((one) => Array.isArray(one)) : []
  } catch {
    return []
  }
}
