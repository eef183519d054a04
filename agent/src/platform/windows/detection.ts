import type { Detection, ListedProgram } from '../detection.ts'
import { expandVariables } from './expand-variables.ts'
import { listKeys, type RegistryValue, readValue, readValues, type View } from './registry.ts'
import { readFileVersion } from './win32/file-version.ts'
import { installedProductVersion, readMsiProperties } from './win32/installer.ts'

export const detection: Detection = {
  async registryValue({ hive, key, value, view }) {
    const bits = view === '32' ? 32 : 64
    if (value === null) return readValues(hive, key, bits) && ''
    const found = readValue(hive, key, value, bits)
    return found === undefined ? undefined : toText(found)
  },
  fileVersion: async (path) => readFileVersion(path),
  msiProductVersion: async (productCode) => installedProductVersion(productCode),
  async readMsiFile(path) {
    const { ProductCode = '', ProductVersion = '' } = readMsiProperties(path, ['ProductCode', 'ProductVersion'])
    return { productCode: ProductCode, version: ProductVersion }
  },
  listPrograms: async () => ([64, 32] as const).flatMap(listProgramsIn),
  expandVariables,
}

const uninstallKey = 'SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall'

function listProgramsIn(view: View): ListedProgram[] {
  return (listKeys('HKLM', uninstallKey, view) ?? []).flatMap((id) => {
    // A program may be removed meanwhile.
    const values = readValues('HKLM', `${uninstallKey}\\${id}`, view)
    return values === undefined ? [] : [toListedProgram(id, values)]
  })
}

export function toListedProgram(id: string, values: Record<string, RegistryValue>): ListedProgram {
  const textOf = (name: string) => (typeof values[name] === 'string' ? values[name] : '')
  return {
    id,
    name: textOf('DisplayName'),
    publisher: textOf('Publisher'),
    version: textOf('DisplayVersion'),
    uninstall: textOf('UninstallString'),
    quietUninstall: textOf('QuietUninstallString'),
  }
}

function toText(value: RegistryValue): string {
  if (Buffer.isBuffer(value)) return value.toString('hex')
  return Array.isArray(value) ? value.join('\n') : String(value)
}
