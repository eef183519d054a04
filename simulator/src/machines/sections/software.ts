import type { InstalledSoftware, Service } from '../../protocol.ts'
import { drawsOf, hashOf } from '../../random.ts'
import type { Platform } from '../../scenario.ts'
import { serviceCatalog } from '../service-catalog.ts'
import { byDepartment, common, onServers, type Product } from '../software-catalog.ts'
import type { Moment } from './moment.ts'

/** The software of the platform and the department, and what the agent has installed. Versions rise over time. */
export function installedSoftwareOf(moment: Moment): InstalledSoftware[] {
  const { machine, packages } = moment
  const own = machine.isServer ? onServers[machine.platform] : departmentSoftwareOf(moment)
  const base = machine.isServer && machine.platform === 'windows' ? [] : common[machine.platform]
  const found = [...base, ...own].map((product) => {
    const version = versionAt(moment, product)
    const language = languages[product.publisher]
    return {
      productName: product.name,
      version,
      publisher: product.publisher,
      ...(machine.platform === 'linux' && { sourceName: product.source ?? product.name, sourceVersion: version }),
      ...(language && { language }),
    }
  })
  return [
    ...found,
    ...packages.map(({ name, version }) => ({ productName: name, version, publisher: 'IT department' })),
  ]
}

/** What a package manager of a language has installed says so as its publisher. */
const languages: Readonly<Record<string, InstalledSoftware['language']>> = { npm: 'npm', PyPI: 'pypi' }

function departmentSoftwareOf({ plan, machine }: Moment): Product[] {
  const draws = drawsOf(plan.seed, machine.number, 'software')
  return byDepartment[machine.department]
    .filter(({ name }) => runsOn(machine.platform, name))
    .filter(() => draws.happens(0.75))
}

function runsOn(platform: Platform, name: string): boolean {
  if (platform === 'windows') return true
  return !/Windows|x64|64-bit|SIMATIC|DATEV|Zebra|PuTTY|WinSCP|Sysinternals|Power BI/.test(name)
}

const maxReleasesBehind = 4

/** Each computer is up to four releases behind and updates over time. */
function versionAt({ plan, machine, epoch }: Moment, { name, version }: Product): string {
  const draws = drawsOf(plan.seed, machine.number, 'versions', hashOf(name))
  const behind = draws.whole(0, maxReleasesBehind)
  const [major = '1', minor = '0', ...rest] = version.split('.')
  const release = Number(minor) + maxReleasesBehind - behind + Math.floor(epoch / draws.whole(1, 3))
  return [major, release, ...rest].join('.')
}

/** Nearly all services are in the state that their start mode asks for. */
export function servicesOf({ plan, machine, epoch }: Moment): Service[] {
  const draws = drawsOf(plan.seed, machine.number, 'services', epoch)
  return serviceCatalog[machine.platform].map(({ startMode, ...service }) => ({
    ...service,
    startMode,
    status: (startMode === 'Auto' ? !draws.happens(0.02) : startMode === 'Manual' && draws.happens(0.4))
      ? 'Running'
      : 'Stopped',
  }))
}
