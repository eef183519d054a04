import { listPlaces } from '../common/list-places.ts'
import type { Footprint, FootprintItem } from '../footprint.ts'
import { accessTo } from './inventory/system-access.ts'

/** Deep where packages keep their own files, and shallow where the files of the system are. */
const places = [
  { path: '/etc', depth: 8 },
  { path: '/opt', depth: 8 },
  { path: '/srv', depth: 4 },
  { path: '/usr/local', depth: 8 },
  { path: '/usr/bin', depth: 1 },
  { path: '/usr/sbin', depth: 1 },
  { path: '/usr/lib', depth: 1 },
  { path: '/usr/lib/systemd/system', depth: 2 },
  { path: '/usr/share', depth: 1 },
  { path: '/usr/share/applications', depth: 2 },
  { path: '/var/lib', depth: 1 },
  { path: '/var/log', depth: 1 },
  { path: '/var/opt', depth: 8 },
  { path: '/var/spool/cron', depth: 3 },
]

const debianFields = ['db:Status-Status', 'binary:Package'].map((field) => `\${${field}}`).join('\\t')

export async function takeFootprint(): Promise<Footprint> {
  const system = accessTo('/')
  const [debian, rpm, units, listed] = await Promise.all([
    system.output('dpkg-query', '-W', '-f', `${debianFields}\\n`),
    system.output('rpm', '-qa', '--queryformat', 'installed\\t%{NAME}\\n'),
    system.output('systemctl', 'list-unit-files', '--all', '--plain', '--no-legend', '--no-pager', '--full'),
    listPlaces(places),
  ])
  return { places: listed, entries: [...toPackages(debian), ...toPackages(rpm), ...toServices(units)] }
}

/** A package of which configuration files remain is still in the database of dpkg. */
function toPackages(list = ''): FootprintItem[] {
  return list.split('\n').flatMap((line) => {
    const [status, name] = line.split('\t')
    if (!name || status === 'not-installed') return []
    return { kind: 'Package' as const, name: status === 'installed' ? name : `${name} (${status})` }
  })
}

function toServices(list = ''): FootprintItem[] {
  return list.split('\n').flatMap((line) => {
    const [name] = line.trim().split(/\s+/)
    return name ? { kind: 'Service' as const, name } : []
  })
}
