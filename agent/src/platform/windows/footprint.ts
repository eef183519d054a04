import { listPlaces } from '../common/list-places.ts'
import type { Footprint, FootprintItem } from '../footprint.ts'
import { listKeys, readValue, type View } from './registry.ts'

const uninstall = 'SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall'
const services = 'SYSTEM\\CurrentControlSet\\Services'

/** Folders of programs and their data, which are named by the environment of the service. */
function listFolders() {
  const { ProgramFiles, ProgramData } = process.env
  const programs = [ProgramFiles, process.env['ProgramFiles(x86)']].flatMap((path) => (path ? { path, depth: 4 } : []))
  const data = ProgramData
    ? [
        { path: ProgramData, depth: 2 },
        { path: `${ProgramData}\\Microsoft\\Windows\\Start Menu\\Programs`, depth: 3 },
      ]
    : []
  return [...programs, ...data]
}

export async function takeFootprint(): Promise<Footprint> {
  const programs = ([64, 32] as const).flatMap(listPrograms)
  // Both views may list the same program.
  const distinct = [...new Map(programs.map((program) => [program.name, program])).values()]
  const registered = (listKeys('HKLM', services, 64) ?? []).map((name): FootprintItem => ({ kind: 'Service', name }))
  return { places: await listPlaces(listFolders()), entries: [...distinct, ...registered] }
}

function listPrograms(view: View): FootprintItem[] {
  return (listKeys('HKLM', uninstall, view) ?? []).map((key) => {
    const title = readValue('HKLM', `${uninstall}\\${key}`, 'DisplayName', view)
    return { kind: 'Program', name: typeof title === 'string' && title !== '' ? `${title} (${key})` : key }
  })
}
