import { cleanText } from '../../common/texts.ts'
import type { SystemAccess } from './system-access.ts'

const maxServices = 5000

const plain = ['--type=service', '--all', '--plain', '--no-legend', '--no-pager', '--full'] as const

/** The systemd services; undefined without systemd. */
export async function collectServices(system: SystemAccess) {
  const [units, files] = await Promise.all([
    system.output('systemctl', 'list-units', ...plain),
    system.output('systemctl', 'list-unit-files', ...plain),
  ])
  if (!units) return undefined
  const modes = new Map((files ?? '').split('\n').map((line) => line.trim().split(/\s+/) as [string, string]))
  const items = units.split('\n').flatMap((line) => {
    const [unit = '', load, active = '', sub = '', ...description] = line.trim().split(/\s+/)
    // Transient units are not services of the computer.
    if (!unit.endsWith('.service') || load === 'not-found' || /^(run|session)-/.test(unit)) return []
    return {
      name: cleanText(unit.slice(0, -'.service'.length)) ?? unit,
      displayName: cleanText(description.join(' ')),
      status: statusOf(active, sub),
      startMode: startMode(load === 'masked' ? 'masked' : (modes.get(unit) ?? modes.get(template(unit)))),
      account: null,
    }
  })
  return { items: items.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, maxServices) }
}

/** `getty@tty1.service` is an instance of the template `getty@.service`. */
function template(unit: string): string {
  return unit.replace(/@.*\./, '@.')
}

function statusOf(active: string, sub: string): string {
  if (active === 'active') return sub === 'exited' ? 'Exited' : 'Running'
  if (active === 'activating' || active === 'reloading') return 'StartPending'
  if (active === 'deactivating') return 'StopPending'
  return active === 'failed' ? 'Failed' : 'Stopped'
}

/** Maps to Windows start modes: a unit that is not enabled can be started manually, unless it is masked. */
function startMode(state: string | undefined): string | null {
  if (state === undefined) return null
  if (state.startsWith('masked')) return 'Disabled'
  return state.startsWith('enabled') ? 'Auto' : 'Manual'
}
