import type { SystemAccess } from './system-access.ts'
import { told } from './texts.ts'

const most = 5000

const plain = ['--type=service', '--all', '--plain', '--no-legend', '--no-pager', '--full'] as const

/** The services of systemd; nothing is told where it does not run. */
export async function collectServices(system: SystemAccess) {
  const [units, files] = await Promise.all([
    system.output('systemctl', 'list-units', ...plain),
    system.output('systemctl', 'list-unit-files', ...plain),
  ])
  if (!units) return undefined
  const modes = new Map((files ?? '').split('\n').map((line) => line.trim().split(/\s+/) as [string, string]))
  const items = units.split('\n').flatMap((line) => {
    const [unit = '', load, active = '', sub = '', ...description] = line.trim().split(/\s+/)
    // What a program starts under a name of the moment is no service of the computer.
    if (!unit.endsWith('.service') || load === 'not-found' || /^(run|session)-/.test(unit)) return []
    return {
      name: told(unit.slice(0, -'.service'.length)) ?? unit,
      displayName: told(description.join(' ')),
      status: statusOf(active, sub),
      startMode: startMode(load === 'masked' ? 'masked' : (modes.get(unit) ?? modes.get(template(unit)))),
      account: null,
    }
  })
  return { items: items.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, most) }
}

/** `getty@tty1.service` is described by `getty@.service`. */
function template(unit: string): string {
  return unit.replace(/@.*\./, '@.')
}

function statusOf(active: string, sub: string): string {
  if (active === 'active') return sub === 'exited' ? 'Exited' : 'Running'
  if (active === 'activating' || active === 'reloading') return 'StartPending'
  if (active === 'deactivating') return 'StopPending'
  return active === 'failed' ? 'Failed' : 'Stopped'
}

/** In the words of Windows: what is not started by itself can be started by hand, unless it is masked. */
function startMode(state: string | undefined): string | null {
  if (state === undefined) return null
  if (state.startsWith('masked')) return 'Disabled'
  return state.startsWith('enabled') ? 'Auto' : 'Manual'
}
